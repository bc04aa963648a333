import { fillCompiled } from './compiled.ts'

/** Fills Node's compile cache once before the tests, which start many server processes. */
export const setup = fillCompiled
