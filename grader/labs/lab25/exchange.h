/* exchange.h: what the suite and the adapter of lab 25 exchange. */
#ifndef LAB25_EXCHANGE_H
#define LAB25_EXCHANGE_H

#include "labs/budgets_figures.h"
#include "labs/products_numbers.h"

#endif
