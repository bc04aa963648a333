import { expect, test } from 'vitest'
import { parseAuthority } from './authority.ts'

test.each([
  ['localhost', 'localhost', undefined],
  ['LocalHost:8000', 'localhost', 8000],
  ['127.0.0.1:1', '127.0.0.1', 1],
  ['[::1]:8000', '[::1]', 8000],
  ['[0:0:0:0:0:0:0:1]', '[::1]', undefined],
  ['[0000:0000:0000:0000:0000:0000:0000:0001]:65535', '[::1]', 65_535],
  ['[::FFFF:127.0.0.1]', '[::ffff:7f00:1]', undefined],
  ['localhost.', 'localhost.', undefined],
  ['console.example', 'console.example', undefined],
])('%s is host %s, port %s', (text, name, port) => {
  expect(parseAuthority(text)).toEqual({ name, port })
})

test.each([
  '',
  ' ',
  ':8000',
  'localhost:',
  'localhost:080',
  'localhost:65536',
  'localhost:8000:8000',
  'localhost, evil.example',
  'me@localhost',
  'localhost/x',
  'localhost#',
  'local host',
  'localhost%00',
  '::1',
  '[::1',
  '[::g]',
  '[]',
  '[::1]evil.example',
  '[::1%lo]',
  '[::1]]',
  '[[::1]]',
  '[::1]:',
  '[::1]:-1',
  '[::1]8000',
  '[:::1]',
  '[::1::]',
  '[1:2:3:4:5:6:7]',
  '[1:2:3:4:5:6:7:8:9]',
  '[12345::]',
  '[::ffff:127.0.0.256]',
  '[127.0.0.1]',
  '[.]',
  '[:]',
])('%j is not a host', (text) => {
  expect(parseAuthority(text)).toBeUndefined()
})
