import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type JournalEntry, NO_SEQ, seq } from '@binnacle/engine'
import { anEntry, JOURNAL_CASES } from '@binnacle/engine/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { openJournalReader, openJournalStore } from './journal-store.ts'

function newJournal() {
  const file = join(temporaryFolder(), 'journal.sqlite')
  return { file, journal: opened(file) }
}

function opened(file: string) {
  const journal = openJournalStore(file)
  onTestFinished(() => journal.close())
  return journal
}

/** Does to the file what no code of ours does. */
function tamper(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

async function readAll(file: string, after = NO_SEQ): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = []
  for await (const entry of opened(file).entriesAfter(after)) entries.push(entry)
  return entries
}

describe('the journal on disk', () => {
  test.each(JOURNAL_CASES)('$title', async ({ run }) => {
    await run(async () => newJournal().journal)
  })

  test('what was appended is there after the file is opened again', async () => {
    const { file, journal } = newJournal()
    await journal.append([anEntry(1), anEntry(2)])
    expect((await readAll(file)).map((entry) => entry.seq)).toEqual([1, 2])
  })

  test.each([
    [
      'an altered entry',
      `UPDATE entries SET text = replace(text, 'O-2', 'O-9') WHERE seq = 2`,
      'entry 2 is not as it was written',
    ],
    ['a removed entry', 'DELETE FROM entries WHERE seq = 2', 'entry 3 follows entry 1'],
    ['a cut-off end', 'DELETE FROM entries WHERE seq = 3', 'entries 3 to 3 are missing'],
    [
      'two entries exchanged',
      'UPDATE entries SET text = (SELECT text FROM entries AS other WHERE other.seq = 5 - entries.seq) WHERE seq IN (2, 3)',
      'entry 2 is not as it was written',
    ],
    ['a head that was moved back', 'UPDATE head SET seq = 2', 'entry 2 is not the one the head names'],
  ])('%s is found and named', async (_, sql, words) => {
    const { file, journal } = newJournal()
    await journal.append([anEntry(1), anEntry(2), anEntry(3)])
    tamper(file, sql)
    await expect(readAll(file)).rejects.toThrow(words)
  })

  test('a damaged snapshot gives way to the one before it', async () => {
    const { file, journal } = newJournal()
    await journal.saveSnapshot({ seq: seq(1), text: 'one' })
    await journal.saveSnapshot({ seq: seq(2), text: 'two' })
    tamper(file, `UPDATE snapshots SET text = 'tw0' WHERE seq = 2`)
    expect(await opened(file).latestSnapshot()).toEqual({ seq: 1, text: 'one' })
  })

  test('a reader of its own sees what its owner appends', async () => {
    const { file, journal } = newJournal()
    await journal.append([anEntry(1)])
    const reader = openJournalReader(file)
    onTestFinished(() => reader.close())
    await journal.append([anEntry(2)])
    expect([...reader.entriesAfter(seq(1))].map((entry) => entry.seq)).toEqual([2])
  })

  test('entries that were archived are forgotten and the rest still verifies', async () => {
    const { file, journal } = newJournal()
    await journal.append([anEntry(1), anEntry(2), anEntry(3)])
    journal.forget(seq(2))
    expect(journal.firstSeq()).toBe(3)
    expect((await readAll(file, seq(2))).map((entry) => entry.seq)).toEqual([3])
  })
})
