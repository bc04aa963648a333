import { expect, test } from 'vitest'
import { parseCommand } from './command-text.ts'
import { classifyCommand } from './guard.ts'

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
  ['GET "a', 'A quote is not closed.'],
  ["GET 'a", 'A quote is not closed.'],
  ['GET "a"b', 'A space is missing after a closing quote.'],
  ['GET a\nGET b', 'Only one command can be run at a time (found 2 lines). Select one to run it.'],
  [' \n ', 'Enter a command.'],
])('%j is refused', (text, sentence) => {
  expect(() => parseCommand(text)).toThrow(sentence)
})

test.each([
  ['FLUSHDB', 'db2'],
  ['flushall', 'all databases'],
  ['DEL a b c', 'db2'],
  ['UNLINK a b', 'db2'],
])('%s asks for the name of what it empties', (command, table) => {
  expect(classifyCommand(command, 2).confirm?.table).toBe(table)
})

test('one key is deleted without asking', () => {
  expect(classifyCommand('DEL a', 2)).toMatchObject({ kind: 'write', confirm: undefined })
})

test.each(['FLUSHDB', 'flushall', 'FLUSHDB ASYNC'])('[STORE-12] %s frees the memory beside', (command) => {
  expect(classifyCommand(command, 0).args.map(String)).toEqual(['ASYNC'])
})

test('what is refused says what to use instead', () => {
  expect(() => classifyCommand('KEYS *', 0)).toThrow('Use SCAN 0 MATCH')
  expect(() => classifyCommand('SORT a', 0)).toThrow('Use SORT_RO')
})
