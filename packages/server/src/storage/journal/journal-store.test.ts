import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type JournalEntry, NO_SEQ, seqFrom } from '@binnacle/engine'
import { anEntry, JOURNAL_CASES } from '@binnacle/engine/testkit'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { allOf } from '#testkit/all-of.ts'
import { type JournalLocation, openJournalReader, openJournalStore } from './journal-store.ts'

function newJournal() {
  const folder = temporaryFolder()
  const place = { file: join(folder, 'journal.sqlite'), archiveFolder: join(folder, 'journal-archive') }
  return { place, journal: opened(place) }
}

function opened(place: JournalLocation) {
  const journal = openJournalStore(place)
  onTestFinished(() => journal.close())
  return journal
}

/** Changes the file behind the store. */
function tamper({ file }: JournalLocation, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

async function readAll(place: JournalLocation, after = NO_SEQ): Promise<JournalEntry[]> {
  return allOf(opened(place).entriesAfter(after))
}

describe('the journal on disk', () => {
  test.each(JOURNAL_CASES)('$title', async ({ run }) => {
    await run(async () => newJournal().journal)
  })

  test('appended entries are there after reopening', async () => {
    const { place, journal } = newJournal()
    await journal.append([anEntry(1), anEntry(2)])
    expect((await readAll(place)).map((entry) => entry.seq)).toEqual([1, 2])
  })

  test.each([
    [
      'an altered entry',
      `UPDATE entries SET text = replace(text, 'O-2', 'O-9') WHERE seq = 2`,
      'entry 2 was altered',
    ],
    ['a removed entry', 'DELETE FROM entries WHERE seq = 2', 'expected entry 2, found 3'],
    ['a cut-off end', 'DELETE FROM entries WHERE seq = 3', 'entries 3 to 3 are missing'],
    [
      'two entries swapped',
      'UPDATE entries SET text = (SELECT text FROM entries AS other WHERE other.seq = 5 - entries.seq) WHERE seq IN (2, 3)',
      'entry 2 was altered',
    ],
    ['a head that was moved back', 'UPDATE head SET seq = 2', 'entry 2 is not the one the head names'],
  ])('%s is detected and named', async (_, sql, words) => {
    const { place, journal } = newJournal()
    await journal.append([anEntry(1), anEntry(2), anEntry(3)])
    tamper(place, sql)
    await expect(readAll(place)).rejects.toThrow(words)
  })

  test('a damaged snapshot is skipped for the one before it', async () => {
    const { place, journal } = newJournal()
    await journal.saveSnapshot({ seq: seqFrom(1), text: 'one' })
    await journal.saveSnapshot({ seq: seqFrom(2), text: 'two' })
    tamper(place, `UPDATE snapshots SET text = 'tw0' WHERE seq = 2`)
    expect(await opened(place).latestSnapshot()).toEqual({ seq: 1, text: 'one' })
  })

  test('a reader sees entries that the writer appends', async () => {
    const { place, journal } = newJournal()
    await journal.append([anEntry(1)])
    const reader = openJournalReader(place)
    onTestFinished(() => reader.close())
    await journal.append([anEntry(2)])
    const entries = await allOf(reader.entriesAfter(seqFrom(1)))
    expect(entries.map((entry) => entry.seq)).toEqual([2])
  })

  test('reading after a missing entry is a fault', async () => {
    const { place, journal } = newJournal()
    await journal.append([anEntry(1), anEntry(2), anEntry(3)])
    await expect(readAll(place, seqFrom(4))).rejects.toThrow('it ends with entry 3, before entry 4')
    tamper(place, 'DELETE FROM entries WHERE seq = 1')
    await expect(readAll(place, seqFrom(1))).rejects.toThrow('entry 1 is missing')
  })

  test('verify reads entries before a snapshot too', async () => {
    const { place, journal } = newJournal()
    await journal.append([anEntry(1), anEntry(2), anEntry(3)])
    await journal.verify(seqFrom(3))
    tamper(place, `UPDATE entries SET text = replace(text, 'O-1', 'O-9') WHERE seq = 1`)
    await expect(opened(place).verify(seqFrom(3))).rejects.toThrow('entry 1 was altered')
  })
})

test('a closed journal is checkpointed into its file, even if a reader still has it open', async () => {
  const folder = temporaryFolder()
  const place = { file: join(folder, 'journal.sqlite'), archiveFolder: join(folder, 'journal-archive') }
  const journal = openJournalStore(place)
  await journal.append([anEntry(1), anEntry(2)])
  const reader = openJournalReader(place)
  onTestFinished(() => reader.close())
  expect(await allOf(reader.entriesAfter(NO_SEQ))).toHaveLength(2)
  expect(statSync(`${place.file}-wal`).size).toBeGreaterThan(0)
  journal.close()
  expect(statSync(`${place.file}-wal`).size).toBe(0)
  expect(await allOf(reader.entriesAfter(NO_SEQ))).toHaveLength(2)
})
