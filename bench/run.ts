import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Runs every measurement in a process of its own, or only those whose name holds one of the words given. */
const words = process.argv.slice(2)
const all = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.bench.ts'))
const unknown = words.filter((word) => !all.some((file) => file.includes(word)))
if (unknown.length > 0) {
  console.error(`No measurement is called ${unknown.join(' or ')}; there are ${all.join(', ')}.`)
  process.exit(1)
}
const benches = words.length === 0 ? all : all.filter((file) => words.some((word) => file.includes(word)))
const failed = benches.filter((file) => {
  console.log(`\n${file}`)
  return spawnSync(process.execPath, [join(import.meta.dirname, file)], { stdio: 'inherit' }).status !== 0
})
process.exitCode = failed.length === 0 ? 0 : 1
