import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { openLogFile } from './log-file.ts'

const LIMITS = { maxBytes: 1000, maxRotated: 3 }

test('[OPS-6] a full file is rotated, the oldest is deleted, and no line in the others is lost or cut', async () => {
  const file = newFile()
  const log = openLogFile(file, LIMITS)
  for (let line = 1; line <= 1000; line++) log.write(lineOf(line))
  await log.close()
  expect(readdirSync(dirname(file)).toSorted()).toEqual([
    'server.log',
    'server.log.1',
    'server.log.2',
    'server.log.3',
  ])
  const parts = [`${file}.3`, `${file}.2`, `${file}.1`, file].map((part) => readFileSync(part, 'utf8'))
  for (const part of parts.slice(0, 3)) expect(part).toHaveLength(1000)
  const numbers = parts.join('').trim().split('\n').map(Number)
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => 1001 - numbers.length + index))
})

test('an existing file is appended to, and its size counts', async () => {
  const file = newFile()
  const first = openLogFile(file, LIMITS)
  for (let line = 1; line <= 60; line++) first.write(lineOf(line))
  await first.close()
  const second = openLogFile(file, LIMITS)
  for (let line = 61; line <= 101; line++) second.write(lineOf(line))
  await second.close()
  expect(readFileSync(`${file}.1`, 'utf8')).toHaveLength(1000)
  expect(readFileSync(file, 'utf8')).toBe(lineOf(101))
})

test('[OPS-6] a file that cannot be rotated is continued', async () => {
  const file = newFile()
  mkdirSync(join(`${file}.3`, 'in-the-way'), { recursive: true })
  const log = openLogFile(file, LIMITS)
  for (let line = 1; line <= 250; line++) log.write(lineOf(line))
  await log.close()
  expect(readFileSync(file, 'utf8')).toHaveLength(2500)
})

test('process exit flushes the buffer', () => {
  const file = newFile()
  const script = `
    const { openLogFile } = await import(${JSON.stringify(new URL('./log-file.ts', import.meta.url).href)})
    openLogFile(${JSON.stringify(file)}).write('the last line\\n')
    process.exit(1)`
  spawnSync(process.execPath, ['--input-type=module', '--eval', script])
  expect(readFileSync(file, 'utf8')).toBe('the last line\n')
})

test.skipIf(!existsSync('/dev/full'))('a full disk does not end the process', async () => {
  const log = openLogFile('/dev/full', { maxBytes: 1e9, maxRotated: 1 })
  for (let line = 0; line < 100; line++) {
    log.write(lineOf(line))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await log.close()
})

function newFile(): string {
  return join(temporaryFolder(), 'logs', 'server.log')
}

/** Ten characters, including the newline. */
function lineOf(number: number): string {
  return `${String(number).padStart(9, '0')}\n`
}
