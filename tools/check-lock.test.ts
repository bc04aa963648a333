import { expect, test } from 'vitest'
import { checkLock } from './check-lock.ts'
import { temporaryFolder } from './testkit/temporary-folder.ts'

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64']
const FAMILIES = {
  '': 'node',
  'node_modules/@biomejs/biome': '@biomejs/cli',
  'node_modules/rolldown': '@rolldown/binding',
}

test('a lock file with hashes, binaries for every platform and no address passes', () => {
  expect(checkLock(withLock({}))).toEqual({
    wrong: [],
    notes: ['25 packages, 4 with a binary for each platform'],
  })
})

test('planted: a download address', () => {
  const zod = { version: '4.6.7', integrity: 'sha512-x', resolved: 'https://registry.example/zod.tgz' }
  expect(checkLock(withLock({ 'node_modules/zod': zod })).wrong).toEqual([
    "package-lock.json holds an address for node_modules/zod: remove its 'resolved'.",
  ])
})

test('planted: a package without a hash', () => {
  expect(checkLock(withLock({ 'node_modules/zod': { version: '4.6.7' } })).wrong).toEqual([
    'package-lock.json has no integrity hash for node_modules/zod.',
  ])
})

test('planted: a lock file written for one platform only', () => {
  const gone = Object.fromEntries(
    ['linux-arm64', 'win32-x64'].map((platform) => [`node_modules/@rolldown/binding-${platform}`, undefined]),
  )
  expect(checkLock(withLock(gone)).wrong).toEqual([
    'package-lock.json lacks the binary of rolldown for linux on arm64.',
    'package-lock.json lacks the binary of rolldown for win32 on x64.',
  ])
})

test('planted: a binary for another C library does not count', () => {
  const musl = { integrity: 'sha512-x', os: ['linux'], cpu: ['x64'], libc: ['musl'] }
  expect(checkLock(withLock({ 'node_modules/@rolldown/binding-linux-x64': musl })).wrong).toEqual([
    'package-lock.json lacks the binary of rolldown for linux on x64.',
  ])
})

test('planted: a lock file without the tools we know', () => {
  expect(checkLock(withLock({ 'node_modules/@biomejs/biome': undefined })).wrong).toEqual([
    'package-lock.json lists no binaries of @biomejs/biome.',
  ])
})

function withLock(changes: Record<string, object | undefined>): string {
  const families = Object.entries({ ...FAMILIES, 'node_modules/lightningcss': 'lightningcss' })
  const packages = Object.fromEntries(families.flatMap(([path, binary]) => familyOf(path, binary)))
  const workspace = { 'node_modules/@binnacle/web': { resolved: 'packages/web', link: true } }
  const lock = { packages: { ...packages, ...workspace, ...changes } }
  return temporaryFolder({ 'package-lock.json': JSON.stringify(lock) })
}

function familyOf(path: string, binary: string): [string, object][] {
  const names = PLATFORMS.map((platform) => `${binary}-${platform}`)
  const optionalDependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']))
  return [
    [path, { integrity: 'sha512-x', optionalDependencies }],
    ...PLATFORMS.map((platform): [string, object] => {
      const [os, cpu] = platform.split('-')
      return [`node_modules/${binary}-${platform}`, { integrity: 'sha512-x', os: [os], cpu: [cpu] }]
    }),
  ]
}
