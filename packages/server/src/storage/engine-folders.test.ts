import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import type { EngineConfig } from '#config/engines-file.ts'
import { StartRefusal } from '#config/start-refusal.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { openEngineFolders } from './engine-folders.ts'

const desk = engine('desk', 'embedded')
const second = engine('second', 'embedded')
const paper = engine('paper', 'nautilus')

test('[ENGS-43] every attempt on a folder without its journal says so, and none leaves its lock', async () => {
  const root = await newRoot()
  const folderOf = await openEngineFolders(root, [desk, second], true)
  const { data, release } = await folderOf(second)
  writeFileSync(data.at('journal.sqlite'), '')
  await data.recordStores()
  release()
  rmSync(data.at('journal.sqlite'))
  for (const _attempt of [1, 2])
    await expect(folderOf(second)).rejects.toThrow(`${data.at('journal.sqlite')} is missing`)
})

test.each([
  ['no JSON', '{"embedded":"desk'],
  ['nothing', ''],
  ['a list', '["desk"]'],
  ['something else', '{"first":"desk"}'],
])(
  '[ENGS-55] a list of owners with %s is refused, and no engine gets the data of another',
  async (_what, text) => {
    const root = await newRoot()
    await placesOf(root, [desk, second])
    writeFileSync(root.at('engines.json'), text)
    await expect(openEngineFolders(root, [second, desk], true)).rejects.toThrow(
      new StartRefusal(
        `${root.at('engines.json')} is damaged. It says which engines have their data in the data folder itself, so without it an engine could get the data of another one; nothing was changed. Restore it from a backup, or write it again with the names of those engines, such as {"embedded":"desk"} or {"embedded":"desk","nautilus":"paper"}; the other engines have folders in ${root.at('engines')}.`,
      ),
    )
    expect(readFileSync(root.at('engines.json'), 'utf8')).toBe(text)
    writeFileSync(root.at('engines.json'), '{"embedded":"desk"}')
    expect(await placesOf(root, [second, desk])).toEqual([join('engines', 'second'), ''])
  },
)

test.each([
  ['another name', [engine('fresh', 'embedded'), second], "'fresh' (embedded), 'second' (embedded)"],
  ['another kind', [paper], "'paper' (nautilus)"],
  ['both', [second, paper], "'second' (embedded), 'paper' (nautilus)"],
  [
    'a name that has its own data',
    [{ ...second, takesOver: 'desk' }, paper],
    "'second' (embedded), 'paper' (nautilus)",
  ],
  ['a name of another kind', [{ ...paper, takesOver: 'desk' }], "'paper' (nautilus)"],
])('[ENGS-44] %s instead of the engine of the data folder is refused', async (_what, engines, names) => {
  const root = await newRoot()
  await placesOf(root, [desk, second])
  const before = readFileSync(root.at('engines.json'), 'utf8')
  await expect(openEngineFolders(root, engines, true)).rejects.toThrow(
    new StartRefusal(
      `BINNACLE_ENGINES: the data folder ${root.at()} has the data of the embedded engine 'desk', but the file lists ${names}. Put 'desk' back, or write "takes_over": "desk" in the entry of a new embedded engine that is to have its data.`,
    ),
  )
  expect(readFileSync(root.at('engines.json'), 'utf8')).toBe(before)
  expect(await placesOf(root, [second, desk])).toEqual([join('engines', 'second'), ''])
})

test('[ENGS-44] a node beside the console does not get the data of the one before it', async () => {
  const root = await newRoot()
  await placesOf(root, [desk, paper])
  mkdirSync(root.at('nautilus'))
  writeFileSync(root.at('nautilus', 'commands.jsonl'), '')
  const other = engine('other', 'nautilus')
  const refusal = "has the data of the nautilus engine 'paper', but the file lists 'desk' (embedded), 'other'"
  await expect(openEngineFolders(root, [desk, other], true)).rejects.toThrow(refusal)
  await placesOf(root, [desk])
  await expect(openEngineFolders(root, [desk, other], true)).rejects.toThrow(refusal)
  expect(await placesOf(root, [desk, { ...other, takesOver: 'paper' }])).toEqual(['', ''])
})

test('[ENGS-45] an engine that takes over a former name has its data, also at later starts', async () => {
  const root = await newRoot()
  await placesOf(root, [desk, second])
  const fresh = { ...engine('fresh', 'embedded'), takesOver: 'desk' }
  expect(await placesOf(root, [second, fresh])).toEqual([join('engines', 'second'), ''])
  expect(await placesOf(root, [fresh, second])).toEqual(['', join('engines', 'second')])
})

test('[ENGS-46] nodes alone do not get the data folder of an embedded engine', async () => {
  const root = await newRoot()
  writeFileSync(root.at('journal.sqlite'), '')
  await expect(openEngineFolders(root, [paper], true)).rejects.toThrow(
    new StartRefusal(
      `BINNACLE_ENGINES: the data folder ${root.at()} has the data of an embedded engine, but the file lists 'paper' (nautilus). List an embedded engine, or set BINNACLE_DATA to another folder.`,
    ),
  )
  expect(existsSync(root.at('engines.json'))).toBe(false)
  expect(await placesOf(root, [paper, desk])).toEqual(['', ''])
})

test('[ENGS-47] an embedded engine that joins nodes has a folder of its own', async () => {
  const root = await newRoot()
  await placesOf(root, [paper])
  expect(await placesOf(root, [desk, paper])).toEqual([join('engines', 'desk'), ''])
  expect(await placesOf(root, [paper, desk])).toEqual(['', join('engines', 'desk')])
})

function engine(name: string, kind: EngineConfig['kind']): EngineConfig {
  return { name, kind, traderId: 'TRADER-001' }
}

async function newRoot(): Promise<DataFolder> {
  return openDataFolder(join(temporaryFolder(), 'data'))
}

/** The folder of each engine below the data folder; '' is the data folder itself. */
async function placesOf(root: DataFolder, engines: readonly EngineConfig[]): Promise<string[]> {
  const folderOf = await openEngineFolders(root, engines, true)
  const places: string[] = []
  for (const each of engines) {
    const { data, release } = await folderOf(each)
    places.push(data.at().slice(root.at().length + 1))
    release()
  }
  return places
}
