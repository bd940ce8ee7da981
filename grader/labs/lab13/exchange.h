/*
 * exchange.h: the figures that the adapter of lab 13 reports to its suite.
 */
#ifndef LAB13_EXCHANGE_H
#define LAB13_EXCHANGE_H

struct figures {
    double token_us;             /* a token, over the whole run */
    double first_us, between_us; /* 99th percentiles: to the first token; between two tokens */
    double most_bytes;           /* of device memory, at any time */
    double budget_bytes;
};

#endif
