import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { openSecretBox } from './secret-box.ts'

const ROW = 'connection/1'
const TEXT = 'postgres://desk:hunter2@db.example/desk'

test('[STORE-2] a sealed text opens again, after a restart too, and is not readable in storage', () => {
  const file = join(temporaryFolder(), 'secret.key')
  const sealed = openSecretBox(file).seal(TEXT, ROW)
  expect(sealed).not.toContain('hunter2')
  expect(Buffer.from(sealed.slice(3), 'base64').toString('latin1')).not.toContain('hunter2')
  expect(openSecretBox(file).open(sealed, ROW)).toBe(TEXT)
})

test('the same text is sealed differently each time', () => {
  const box = openSecretBox(join(temporaryFolder(), 'secret.key'))
  expect(box.seal(TEXT, ROW)).not.toBe(box.seal(TEXT, ROW))
})

test('[STORE-2] the key is readable by its owner only, and no temporary file remains', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'secret.key')
  openSecretBox(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['secret.key'])
  chmodSync(file, 0o644)
  const key = readFileSync(file)
  openSecretBox(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file)).toEqual(key)
})

test('an altered text, one of another key and an unsealed text do not open', () => {
  const box = openSecretBox(join(temporaryFolder(), 'secret.key'))
  const other = openSecretBox(join(temporaryFolder(), 'secret.key'))
  const sealed = box.seal(TEXT, ROW)
  const bytes = Buffer.from(sealed.slice(3), 'base64')
  for (const at of [0, 13, 29]) {
    const altered = Buffer.from(bytes)
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
    expect(box.open(`v2:${altered.toString('base64')}`, ROW)).toBeUndefined()
  }
  expect(other.open(sealed, ROW)).toBeUndefined()
  for (const nonsense of ['', 'v2:', 'v1:AAAA', TEXT]) expect(box.open(nonsense, ROW)).toBeUndefined()
})

test('[ADM-13] a sealed text does not open in another row', () => {
  const box = openSecretBox(join(temporaryFolder(), 'secret.key'))
  const sealed = box.seal(TEXT, ROW)
  expect(box.open(sealed, 'connection/2')).toBeUndefined()
  expect(box.openUnbound(sealed)).toBeUndefined()
})

test('a damaged key prevents the start and is not replaced', () => {
  const file = join(temporaryFolder(), 'secret.key')
  writeFileSync(file, 'short')
  expect(() => openSecretBox(file)).toThrow('is damaged: a key has 32 bytes, this file 5')
  expect(readFileSync(file, 'utf8')).toBe('short')
})
