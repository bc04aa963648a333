// zod compiles schemas with `new Function`, which the content security policy forbids. The setting must be there before
// the first schema is created, and the order in which bundled chunks are evaluated is not ours to choose.
globalThis.__zod_globalConfig = { jitless: true }
