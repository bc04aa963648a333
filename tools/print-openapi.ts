import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printOpenApi } from '@binnacle/contract'
import { ROOT, Stop } from './launch/project.mjs'
import { endWithSentence } from './launch/sentence.mjs'

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const file = positionals[0] ?? join(ROOT, 'docs/openapi.json')
const text = `${JSON.stringify(printOpenApi(), null, 2)}\n`

await endWithSentence(async () => {
  if (!values.check) return writeFileSync(file, text)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  throw new Stop('docs/openapi.json does not match the contract: run npm run openapi and commit the file.')
})
