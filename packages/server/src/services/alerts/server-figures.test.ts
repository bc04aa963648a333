import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { until } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createServerFigures } from './server-figures.ts'

test('[ALERT-560] free disk space is in GB of 1024³ bytes, like every other size', async () => {
  const figures = createServerFigures(tmpdir())
  onTestFinished(() => figures.close())
  const measured = await until(() => {
    const [figure] = figures.read({ watch: 'disk', subject: '', window_s: 60 }, Date.now())
    expect(figure).toBeDefined()
    return Number(figure?.value)
  })
  const { bavail, bsize } = await statfs(tmpdir())
  // Others write to the disk meanwhile; GB of 10⁹ bytes would be 7 % more.
  expect(measured / ((bavail * bsize) / 1024 ** 3)).toBeCloseTo(1, 1)
})
