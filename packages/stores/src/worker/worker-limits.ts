/** JavaScript heap of a worker. Results are capped far below it. */
export const HEAP_MIB = 256

/** All memory of a worker; DuckDB's own limit is below it. */
export const MAX_WORKER_MEMORY_BYTES = 768 * 1024 * 1024

/** A worker that holds more after a statement is not used again: what one statement left must not end the next. */
export const MAX_IDLE_WORKER_MEMORY_BYTES = MAX_WORKER_MEMORY_BYTES / 2

/** Ends a worker that exceeds its memory. No handler is installed, so it ends at once even while a statement blocks. */
export const OUT_OF_MEMORY_SIGNAL = 'SIGUSR2'
