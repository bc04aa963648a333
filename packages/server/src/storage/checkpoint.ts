/**
 * How long the write-ahead log of a busy file grows, 16 MB, before SQLite moves it into the file: who writes waits
 * meanwhile, so it is done seldom, and a page that was written many times is moved once.
 */
export const CHECKPOINT_PAGES = 4_000
