export { listUnbuilt } from './unbuilt.ts'
