import { describe, expect, test } from 'vitest'
import { groupSettings } from './settings-cards.tsx'

const aSetting = (key: string, category?: string | null) => ({ key, value: '1', category })

describe('settings by category', () => {
  test('[ADB-1] keeps the order of the server, categories by their first setting', () => {
    const groups = groupSettings(
      [aSetting('b', 'security'), aSetting('a', 'general'), aSetting('c', 'security')],
      'Other',
    )
    expect(groups.map(({ category, settings }) => [category, settings.map(({ key }) => key)])).toEqual([
      ['security', ['b', 'c']],
      ['general', ['a']],
    ])
  })

  test('[ADB-1] settings without a category share one group', () => {
    const groups = groupSettings([aSetting('a', null), aSetting('b', ''), aSetting('c')], 'Other')
    expect(groups).toHaveLength(1)
    expect(groups[0]).toMatchObject({
      category: 'Other',
      settings: [{ key: 'a' }, { key: 'b' }, { key: 'c' }],
    })
  })
})
