import { expect, test } from 'vitest'
import { StoreRefusal } from '#store-refusal.ts'
import { startHostileServer } from '#testkit/corpus/hostile-server.ts'
import { type HostileText, postgresCorpus } from '#testkit/corpus/postgres-corpus.ts'
import { CAPS, sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { configOf } from '#testkit/drivers/postgres-fixture.ts'
import { countOf } from '#testkit/generated.ts'
import { describePostgres } from '#testkit/stores/test-stores.ts'
import { until } from '#testkit/until.ts'
import { createPostgresDriver } from './driver.ts'

const never = new AbortController().signal
const CORPUS = postgresCorpus()

/** Every nth text, so that a sample has some of each group. */
const TEXTS = CORPUS.filter((_, index) => index % Math.ceil(CORPUS.length / countOf('hostileTexts')) === 0)

describePostgres('hostile SQL', () => {
  const store = sharedFixture(startHostileServer)

  test('the corpus has at least 400 texts, each once', () => {
    expect(new Set(CORPUS.map(({ text }) => text)).size).toBe(CORPUS.length)
    expect(CORPUS.length).toBeGreaterThanOrEqual(400)
  })

  test.each(['reader', 'owner', 'superuser'] as const)(
    '[STORE-14] [STORE-22] nothing gets through a read-only connection of the %s',
    async (role) => {
      const { urls, look, victim } = await store()
      const config = configOf({ url: urls[role], name: 'postgres' })
      const driver = createPostgresDriver({ ...config, acceptsPrivilegedRole: role === 'superuser' })
      const before = await look()
      const through: unknown[] = []
      for (const { text } of TEXTS) {
        const statement = text.replaceAll('VICTIM', String(victim()))
        const outcome = await driver.run(statement, CAPS, never).catch((reason) => reason)
        if (!(outcome instanceof StoreRefusal)) through.push([statement, outcome])
        await driver.explain(statement, never).catch(() => undefined)
      }
      await driver.close()
      expect(through).toEqual([])
      expect(await look()).toBe(before)
    },
    600_000,
  )

  test('without the guard they do change the state', async () => {
    const { look, strike, restore, victim } = await store()
    const withoutEffect: string[] = []
    const texts = TEXTS.filter(({ isVisible }: HostileText) => isVisible)
    for (const { text } of texts) {
      const before = await look()
      await strike(text.replaceAll('VICTIM', String(victim())))
      // A terminated session ends a moment after the call has returned.
      const change = until(async () => expect(await look()).not.toBe(before))
      await change.catch(() => withoutEffect.push(text))
      await restore()
    }
    expect(withoutEffect).toEqual([])
    expect(texts.length).toBeGreaterThan(TEXTS.length / 2)
  }, 600_000)
})
