import { describe, expect, it } from 'vitest'
import { parseProse } from './parse-prose.ts'

describe('parseProse', () => {
  it('reads headings, paragraphs, lists, code, tables and pictures in order', () => {
    const text = [
      '# Title',
      'One line',
      'and its second.',
      '',
      '1. first',
      '   goes on',
      '2. second',
      '',
      '- point',
      '```',
      'code | here',
      '```',
      '| a | b |',
      '|---|---|',
      '| 1 | 2 |',
      '![map](docs/map.svg)',
    ].join('\n')
    expect(parseProse(text)).toEqual([
      { kind: 'heading', level: 2, text: 'Title' },
      { kind: 'paragraph', text: 'One line and its second.' },
      { kind: 'list', ordered: true, items: ['first goes on', 'second'] },
      { kind: 'list', ordered: false, items: ['point'] },
      { kind: 'code', text: 'code | here' },
      { kind: 'table', head: ['a', 'b'], rows: [['1', '2']] },
      { kind: 'image', alt: 'map', source: 'docs/map.svg' },
    ])
  })

  it('ends on code that nobody closed', () => {
    expect(parseProse('```\nopen')).toEqual([{ kind: 'code', text: 'open' }])
  })
})
