import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Providers } from '#app/providers.tsx'
import { DataTable } from './data-table.tsx'

const columns = [
  { title: 'Name', value: (name: string) => name, cell: (name: string) => name },
  { title: 'Act', cell: (name: string) => <button type="button">{`Act on ${name}`}</button> },
]

const tableOf = (rows: readonly string[], shownColumns = columns) => (
  <Providers>
    <DataTable label="Names" columns={shownColumns} rows={rows} rowKey={String} />
  </Providers>
)

const shown = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.firstChild?.textContent)

test('[ORD-35] rows do not move while the pointer is over them', async () => {
  const user = userEvent.setup()
  const { rerender } = render(tableOf(['a', 'b']))
  await user.hover(screen.getByRole('cell', { name: 'b' }))
  rerender(tableOf(['new', 'b', 'a']))
  expect(shown()).toEqual(['a', 'b', 'new'])
  await user.unhover(screen.getByRole('cell', { name: 'b' }))
  expect(shown()).toEqual(['new', 'b', 'a'])
})

test('[ORD-35] rows do not move while one has the focus', async () => {
  const user = userEvent.setup()
  const { rerender } = render(tableOf(['a', 'b']))
  screen.getByRole('button', { name: 'Act on a' }).focus()
  rerender(tableOf(['b', 'a']))
  expect(shown()).toEqual(['a', 'b'])
  await user.click(screen.getByRole('searchbox'))
  expect(shown()).toEqual(['b', 'a'])
})

/** Without heights the window would show no rows. Returns the elements whose height is read. */
function mockHeights(): Element[] {
  const read: Element[] = []
  const heights = [
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(280),
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
      read.push(this)
      return 28
    }),
  ]
  onTestFinished(() => {
    for (const height of heights) height.mockRestore()
  })
  return read
}

test('[STREAM-58] a row that is added to a long list is not measured while it renders', () => {
  const read = mockHeights()
  const rows = Array.from({ length: 300 }, (_, index) => `row ${index}`)
  const { rerender } = render(tableOf(rows))
  rerender(tableOf(['new', ...rows]))
  expect(screen.getByRole('cell', { name: 'new' })).toBeVisible()
  expect(read.filter(({ tagName }) => tagName === 'TR')).toEqual([])
})

/** A table of 300 rows, and the rows whose cells it rendered. */
function aLongList() {
  mockHeights()
  const rendered: string[] = []
  const counted = [
    {
      title: 'Name',
      cell: (name: string) => {
        rendered.push(name)
        return name
      },
    },
  ]
  const longList = (rows: readonly string[]) => (
    <Providers>
      <DataTable label="Names" columns={counted} rows={rows} rowKey={String} />
    </Providers>
  )
  const rows = Array.from({ length: 300 }, (_, index) => `row ${index}`)
  const { rerender } = render(longList(rows))
  const add = (name: string) => {
    rendered.length = 0
    rerender(longList([name, ...rows]))
  }
  return { rendered, add }
}

test('[STREAM-53] a row that is added above a long list renders none of the others', () => {
  const { rendered, add } = aLongList()
  expect(screen.getByRole('cell', { name: 'row 0' })).toBeVisible()
  add('new')
  expect(screen.getByRole('cell', { name: 'new' })).toBeVisible()
  expect(rendered).toEqual(['new'])
})

test('[STREAM-59] a row that is added above those in view renders none, since the browser keeps them in view', () => {
  vi.stubGlobal('CSS', { supports: () => true })
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const { rendered, add } = aLongList()
  fireEvent.scroll(screen.getByRole('region', { name: 'Names, scrollable' }), {
    target: { scrollTop: 2_800 },
  })
  const inView = shown()
  expect(inView).toContain('row 100')
  add('new')
  expect(rendered).toEqual([])
  expect(shown()).toEqual(inView)
})

/** What a browser would lay out: observers that a test can call, and the widths of the head's cells. */
function mockLayout(widths: readonly number[]) {
  const resized = new Map<Element, ResizeObserverCallback[]>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #callback: ResizeObserverCallback
      constructor(callback: ResizeObserverCallback) {
        this.#callback = callback
      }
      observe(target: Element) {
        resized.set(target, [...(resized.get(target) ?? []), this.#callback])
      }
      unobserve() {}
      disconnect() {}
    },
  )
  const shownWidths = { current: widths }
  const box = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: Element,
  ) {
    const width = this instanceof HTMLTableCellElement ? shownWidths.current[this.cellIndex] : 500
    return new DOMRect(0, 0, width, 28)
  })
  onTestFinished(() => box.mockRestore())
  return {
    shownWidths,
    resizeTo(width: number) {
      const list = screen.getByRole('region', { name: 'Names, scrollable' })
      const entry = { target: list, contentRect: new DOMRect(0, 0, width, 280) }
      // No observer of the list reads more of it.
      const entries = [entry as unknown as ResizeObserverEntry]
      for (const callback of resized.get(list) ?? []) callback(entries, {} as ResizeObserver)
    },
  }
}

const widthsOfHeads = () => screen.getAllByRole('columnheader').map(({ style }) => style.width)

test('[STREAM-284] the columns of a long list keep their widths until the list is resized', () => {
  mockHeights()
  const { shownWidths, resizeTo } = mockLayout([120, 80])
  const names = Array.from({ length: 300 }, (_, index) => `row ${index}`)
  const { rerender } = render(tableOf(names))
  resizeTo(500)
  expect(screen.getByRole('table').style).toMatchObject({ tableLayout: 'fixed', width: '500px' })
  expect(widthsOfHeads()).toEqual(['120px', '80px'])
  shownWidths.current = [150, 90]
  resizeTo(500)
  expect(widthsOfHeads()).toEqual(['120px', '80px'])
  resizeTo(600)
  expect(widthsOfHeads()).toEqual(['150px', '90px'])
  rerender(tableOf(names.slice(0, 10)))
  expect(screen.getByRole('table').style.tableLayout).toBe('')
  expect(widthsOfHeads()).toEqual(['', ''])
})

test('[STREAM-284] a row that does not fit widens the columns of a long list', async () => {
  mockHeights()
  const { shownWidths, resizeTo } = mockLayout([120, 80])
  const names = Array.from({ length: 300 }, (_, index) => `row ${index}`)
  const { rerender } = render(tableOf(names))
  resizeTo(500)
  shownWidths.current = [200, 80]
  const text = vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockImplementation(function (this: Element) {
    return this.textContent === 'a longer name' && widthsOfHeads()[0] === '120px' ? 200 : 0
  })
  onTestFinished(() => text.mockRestore())
  rerender(tableOf(['short', ...names.slice(1)]))
  rerender(tableOf(['a longer name', ...names.slice(1)]))
  await waitFor(() => expect(widthsOfHeads()).toEqual(['200px', '80px']))
})

test('[STREAM-284] other columns of a long list get widths of their own', async () => {
  mockHeights()
  const { resizeTo } = mockLayout([120, 80])
  const names = Array.from({ length: 300 }, (_, index) => `row ${index}`)
  const { rerender } = render(tableOf(names))
  resizeTo(500)
  rerender(tableOf(names, columns.slice(0, 1)))
  await waitFor(() => expect(widthsOfHeads()).toEqual(['120px']))
  rerender(tableOf(names))
  await waitFor(() => expect(widthsOfHeads()).toEqual(['120px', '80px']))
})
