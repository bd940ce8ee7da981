/* exchange.h: what the suite and the adapter of lab 23 exchange. */
#ifndef LAB23_EXCHANGE_H
#define LAB23_EXCHANGE_H

#include "labs/budgets_figures.h"
#include "labs/products_numbers.h"

#endif
