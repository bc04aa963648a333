export { runInLockStep } from './lock-step-run.ts'
