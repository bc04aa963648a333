export { type Config, parseConfig } from './config.ts'
export { type RunningServer, startServer } from './main.ts'
export { StartRefusal } from './start-refusal.ts'
export { listUnbuilt } from './unbuilt.ts'
