import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Runs every measurement in a process of its own, or only those whose name holds the word given. */
const wanted = process.argv[2] ?? ''
const benches = readdirSync(import.meta.dirname).filter(
  (file) => file.endsWith('.bench.ts') && file.includes(wanted),
)
const failed = benches.filter((file) => {
  console.log(`\n${file}`)
  return spawnSync(process.execPath, [join(import.meta.dirname, file)], { stdio: 'inherit' }).status !== 0
})
process.exitCode = failed.length === 0 ? 0 : 1
