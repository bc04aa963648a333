import { expect, test } from 'vitest'
import { judgeCommand } from './command-guard.ts'
import { parseCommand } from './command-text.ts'

test.each([
  ['GET a', ['GET', 'a']],
  ['  GET   a  ', ['GET', 'a']],
  ['SET "a b" \'c d\'', ['SET', 'a b', 'c d']],
  ['SET a "say \\"hi\\"\\n"', ['SET', 'a', 'say "hi"\n']],
  ["SET a 'it\\'s\\n'", ['SET', 'a', "it's\\n"]],
  ['SET a ""', ['SET', 'a', '']],
  ['GET Größe☃', ['GET', 'Größe☃']],
])('%s is split as redis-cli splits it', (text, words) => {
  expect(parseCommand(text).map(String)).toEqual(words)
})

test('a byte that is no character can be written', () => {
  expect(parseCommand('GET "\\xff\\x00"')[1]).toEqual(Buffer.from([0xff, 0]))
})

test.each([
  ['GET "a', 'A quote in it is not closed.'],
  ["GET 'a", 'A quote in it is not closed.'],
  ['GET "a"b', 'Between two words there must be a space.'],
  ['GET a\nGET b', 'One command at a time, please; here are 2 lines.'],
  [' \n ', 'There is no command in it.'],
])('%j is refused', (text, sentence) => {
  expect(() => parseCommand(text)).toThrow(sentence)
})

test.each([
  ['FLUSHDB', 'db2'],
  ['flushall', 'all databases'],
  ['DEL a b c', 'db2'],
  ['UNLINK a b', 'db2'],
])('%s asks for the name of what it empties', (command, table) => {
  expect(judgeCommand(command, 2).confirm?.table).toBe(table)
})

test('one key is deleted without asking', () => {
  expect(judgeCommand('DEL a', 2)).toMatchObject({ kind: 'write', confirm: undefined })
})

test.each(['FLUSHDB', 'flushall', 'FLUSHDB ASYNC'])('[STORE-12] %s frees the memory beside', (command) => {
  expect(judgeCommand(command, 0).args.map(String)).toEqual(['ASYNC'])
})

test('what is refused says what to use instead', () => {
  expect(() => judgeCommand('KEYS *', 0)).toThrow('use SCAN 0 MATCH')
  expect(() => judgeCommand('SORT a', 0)).toThrow('Use SORT_RO')
})
