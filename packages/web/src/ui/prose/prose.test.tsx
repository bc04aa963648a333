import { render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import { Prose, type ProseProps } from './prose.tsx'

describe('prose', () => {
  test('shows headings, paragraphs, code and a table with inline markup', () => {
    renderText(
      [
        '# Title',
        'One line',
        'and its **second** with `code`.',
        '',
        '```ts',
        'a | b <i>',
        '```',
        '',
        '| a | b |',
        '|---|--:|',
        '| `1` | 2 |',
      ].join('\n'),
    )
    expect(screen.getByRole('heading', { level: 2, name: 'Title' })).toHaveAttribute('id', 'title')
    expect(screen.getByText('second').tagName).toBe('STRONG')
    expect(screen.getByText('code').tagName).toBe('CODE')
    expect(screen.getByText('a | b <i>').tagName).toBe('PRE')
    const row = within(screen.getByRole('table', { name: 'a, b' })).getByRole('row', { name: '1 2' })
    expect(within(row).getByRole('cell', { name: '2' })).toHaveAttribute('data-align', 'end')
  })

  test('nests lists', () => {
    const { container } = renderText('1. first\n   - inner one\n   - inner two\n2. second')
    expect(container.querySelectorAll('ol > li')).toHaveLength(2)
    const inner = [...container.querySelectorAll('ol > li:first-child > ul > li')]
    expect(inner.map((item) => item.textContent)).toEqual(['inner one', 'inner two'])
  })

  test('a link leads out, to a resolved file or to a heading; any other is text', () => {
    renderText(
      '[out](https://example.org/a) [file](guide.md) [here](#b) [gone](other.md) [bad](javascript:alert(1)) [odd](data:text/html,x)',
      { resolveLink: (href) => (href === 'guide.md' ? '/docs?tab=x#top' : undefined) },
    )
    expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['out', 'https://example.org/a'],
      ['file', '/docs?tab=x#top'],
      ['here', '#b'],
    ])
    expect(screen.getByRole('link', { name: 'out' })).toHaveAttribute('rel', 'noopener noreferrer')
    expect(screen.getByText(/gone bad odd/)).toBeVisible()
  })

  test('an image has the resolved address; without one its description is shown', () => {
    renderText('![the map](map.svg)\n\n![no file](https://example.org/x.png)', {
      resolveImage: (source) => (source === 'map.svg' ? '/assets/map.svg' : undefined),
    })
    expect(screen.getAllByRole('img').map((image) => image.getAttribute('src'))).toEqual(['/assets/map.svg'])
    expect(screen.getByText('no file')).toBeVisible()
  })

  test('raw HTML is text, comments are left out', () => {
    const { container } = renderText(
      '<script>alert(1)</script>\n\nsome <img src=x onerror=alert(1)> text <!-- note -->\n\n<!-- hidden -->',
    )
    expect(container.querySelector('script, img')).toBeNull()
    expect(screen.getByText(/some <img src=x onerror=alert\(1\)> text/)).toBeVisible()
    expect(container).not.toHaveTextContent(/note|hidden/)
  })

  test('the contents link to each h2, with distinct anchors', () => {
    renderText('## Set up\n\n### Detail\n\n## Run `it`\n\n## Set up', { contents: 'Contents' })
    const links = within(screen.getByRole('navigation', { name: 'Contents' })).getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Set up', '#set-up'],
      ['Run it', '#run-it'],
      ['Set up', '#set-up-1'],
    ])
  })
})

function renderText(text: string, props: Partial<ProseProps> = {}) {
  return render(
    <MemoryRouter>
      <Prose text={text} {...props} />
    </MemoryRouter>,
  )
}
