import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { writeParquet } from './parquet-file.ts'

async function* twoRows() {
  yield [['one'], ['two']]
}

const rows = () => ({
  columns: [{ name: 'word', type: 'TEXT', json: 'text' as const, parquet: 'VARCHAR' }],
  batches: twoRows(),
})

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

test('a Parquet export is a whole file', async () => {
  const file = await bytesOf(writeParquet(rows(), temporaryFolder()))
  expect([file.subarray(0, 4).toString(), file.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1'])
})

test('an export that would leave less than 1 GB free is stopped and says so', async () => {
  const nearlyFull = async () => 1024 ** 3 - 1
  await expect(bytesOf(writeParquet(rows(), temporaryFolder(), nearlyFull))).rejects.toMatchObject({
    code: 'store.refused',
    message: expect.stringContaining('less than 1 GB of disk space is free'),
  })
})
