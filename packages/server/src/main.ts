import { prepareEngineThread } from '#trading/runtime/engine-thread.ts'

// This thread and that of the engine load their modules beside each other, which is most of a start.
prepareEngineThread()
const { runFromEnvironment } = await import('./server.ts')
await runFromEnvironment(process.env)
