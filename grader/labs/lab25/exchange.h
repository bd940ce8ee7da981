/* exchange.h: what the suite and the adapter of lab 25 exchange. */
#pragma once

#include "labs/budgets_figures.h"
#include "labs/products_numbers.h"
