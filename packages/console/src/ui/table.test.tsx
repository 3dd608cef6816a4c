import { cleanup, fireEvent, render, renderHook, screen, waitFor, within } from '@testing-library/react'
import { Profiler, useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { useShownKeys } from './shown-keys.ts'
import { Table } from './table.tsx'
import type { Column, TableProps } from './table.tsx'

interface Pod {
  id: string
  restarts: number
}

const columns: Column<Pod>[] = [
  { key: 'name', header: 'Name', cell: (pod) => pod.id, sortKey: 'name' },
  { key: 'restarts', header: 'Restarts', cell: (pod) => pod.restarts, align: 'end' },
]
const pods: Pod[] = ['api', 'cache', 'mailer', 'worker'].map((id, restarts) => ({ id, restarts }))

function show(props: Partial<TableProps<Pod>> = {}) {
  return render(
    <Table
      label="Pods"
      columns={columns}
      rows={pods}
      rowKey={(pod) => pod.id}
      rowHref={(pod) => `/pods/${pod.id}`}
      empty={<p>No pods yet</p>}
      {...props}
    />,
  )
}

function Selectable() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  return (
    <>
      <output>{[...selected].sort().join(' ')}</output>
      <Table
        label="Pods"
        columns={columns}
        rows={pods}
        rowKey={(pod) => pod.id}
        rowHref={(pod) => `/pods/${pod.id}`}
        selection={{ selected, onChange: setSelected }}
        empty={null}
      />
    </>
  )
}

beforeAll(() => {
  // jsdom lays nothing out.
  Element.prototype.scrollIntoView = () => undefined
})
beforeEach(() => onScreen('wide'))
afterEach(cleanup)

/** jsdom knows no media queries. */
function onScreen(screen: 'wide' | 'phone') {
  const media = { matches: screen === 'phone', addEventListener: vi.fn(), removeEventListener: vi.fn() }
  vi.stubGlobal('matchMedia', () => media)
}

const press = (key: string, held: { shiftKey?: boolean } = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...held })

test('the first column is the link to the row', () => {
  show()
  expect(screen.getByRole('link', { name: 'cache' }).getAttribute('href')).toBe('/pods/cache')
})

test('j and k walk the rows from anywhere on the page, Home and End go to the ends', () => {
  show()
  press('j')
  expect(document.activeElement?.textContent).toBe('api')
  press('j')
  press('ArrowDown')
  expect(document.activeElement?.textContent).toBe('mailer')
  press('k')
  expect(document.activeElement?.textContent).toBe('cache')
  press('End')
  expect(document.activeElement?.textContent).toBe('worker')
  press('Home')
  expect(document.activeElement?.textContent).toBe('api')
})

test('keys typed into a field stay there', () => {
  show()
  const field = document.body.appendChild(document.createElement('input'))
  field.focus()
  press('j')
  expect(document.activeElement).toBe(field)
  field.remove()
})

test('x selects the row, and with shift all rows from the last one', () => {
  render(<Selectable />)
  press('j')
  press('x')
  expect(screen.getByRole('status').textContent).toBe('api')
  press('j')
  press('j')
  press('X', { shiftKey: true })
  expect(screen.getByRole('status').textContent).toBe('api cache mailer')
})

test('Space shows all that the list knows of a row in a drawer, selects nothing, and closes it again', async () => {
  render(<Selectable />)
  press('j')
  press('j')
  press(' ')
  const drawer = await screen.findByRole('dialog', { name: 'cache' })
  expect(within(drawer).getByText('Restarts').nextElementSibling?.textContent).toBe('1')
  expect(within(drawer).getByRole('link', { name: 'Open' }).getAttribute('href')).toBe('/pods/cache')
  expect(document.activeElement?.textContent).toBe('Open')
  press(' ')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('status').textContent).toBe('')
})

test('Space opens and closes what stands beneath a row', () => {
  const opened = vi.fn((event: Event) => event.preventDefault())
  show({ expansion: { current: 'api', content: () => <p>More</p> } })
  screen.getByRole('link', { name: 'api' }).addEventListener('click', opened)
  press('j')
  press(' ')
  expect(opened).toHaveBeenCalledOnce()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the keys that act on a list are those that the sheet of shortcuts lists', () => {
  const listed = renderHook(() => useShownKeys())
  const keysOf = () => listed.result.current.flatMap(({ keys }) => keys.flatMap((key) => key.keys))
  expect(keysOf()).toEqual([])
  const { unmount } = show()
  expect(keysOf()).toContain(' ')
  expect(keysOf()).not.toContain('x')
  unmount()
  render(<Selectable />)
  expect(keysOf()).toEqual(expect.arrayContaining(['j', 'k', 'Enter', ' ', 'x', 'X']))
})

test('the box in the head selects all rows, and none again', () => {
  render(<Selectable />)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all rows' }))
  expect(screen.getByRole('status').textContent).toBe('api cache mailer worker')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all rows' }))
  expect(screen.getByRole('status').textContent).toBe('')
})

test('sorting asks the server: ascending first, then descending', () => {
  const onSortChange = vi.fn()
  const { rerender } = show({ onSortChange })
  fireEvent.click(screen.getByRole('button', { name: 'Name' }))
  expect(onSortChange).toHaveBeenLastCalledWith({ key: 'name', direction: 'asc' })
  rerender(
    <Table
      label="Pods"
      columns={columns}
      rows={pods}
      rowKey={(pod) => pod.id}
      sort={{ key: 'name', direction: 'asc' }}
      onSortChange={onSortChange}
      empty={null}
    />,
  )
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
  fireEvent.click(screen.getByRole('button', { name: 'Name' }))
  expect(onSortChange).toHaveBeenLastCalledWith({ key: 'name', direction: 'desc' })
})

test('no rows: what is empty says so, and a filter that matches nothing is echoed and cleared', () => {
  const onClear = vi.fn()
  const { unmount } = show({ rows: [] })
  expect(screen.getByText('No pods yet')).toBeTruthy()
  unmount()
  show({ rows: [], filter: { query: 'nginx', onClear } })
  expect(screen.getByText('nginx')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(onClear).toHaveBeenCalledOnce()
})

test('an error takes the rows’ place and leaves the head', () => {
  show({ error: <p>Failed to fetch pods</p> })
  expect(screen.getByText('Failed to fetch pods')).toBeTruthy()
  expect(screen.getByRole('columnheader', { name: 'Name' })).toBeTruthy()
  expect(screen.queryByText('api')).toBeNull()
})

test('a long table that scrolls by itself draws only what can be seen', () => {
  const rows = Array.from({ length: 5000 }, (_, index) => ({ id: `pod-${index}`, restarts: 0 }))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  show({ rows, isFilled: true })
  const table = screen.getByRole('table', { name: 'Pods' })
  expect(within(table).getAllByRole('link').length).toBeLessThan(100)
  expect(table.getAttribute('aria-rowcount')).toBe('5000')
  vi.unstubAllGlobals()
})

const manyPods = (prefix: string): Pod[] =>
  Array.from({ length: 50 }, (_, restarts) => ({ id: `${prefix}-${restarts}`, restarts }))

/** How many rows were drawn after each commit. */
function showCounted(rows: readonly Pod[]) {
  const counts: number[] = []
  const count = () => counts.push(document.querySelectorAll('tr[data-row]').length)
  const table = (shown: readonly Pod[]) => (
    <Profiler id="table" onRender={count}>
      <Table label="Pods" columns={columns} rows={shown} rowKey={(pod) => pod.id} empty={null} />
    </Profiler>
  )
  const { rerender } = render(table(rows))
  return { counts, change: (next: readonly Pod[]) => rerender(table(next)) }
}

test('of new rows the first screen is drawn first, and then the rest', () => {
  const { counts, change } = showCounted(manyPods('api'))
  expect(counts).toEqual([24, 50])
  counts.length = 0
  change(manyPods('web'))
  expect(counts).toEqual([24, 50])
})

test('rows that are drawn stay while one of them changes', () => {
  const rows = manyPods('api')
  const { counts, change } = showCounted(rows)
  counts.length = 0
  change(rows.map((row, index) => (index === 40 ? { ...row, restarts: 7 } : row)))
  expect(new Set(counts)).toEqual(new Set([50]))
})

test('a row that did not change is not drawn again, whatever changes around it', () => {
  const drawn: string[] = []
  const cells: Column<Pod>[] = [
    { key: 'name', header: 'Name', cell: ({ id }) => (drawn.push(id), id) },
    { key: 'ip', header: 'IP', cell: () => '', isExtra: true },
  ]
  const table = (rows: readonly Pod[], selected: readonly string[]) => (
    <Table
      label="Pods"
      columns={cells}
      rows={rows}
      rowKey={(pod) => pod.id}
      rowHref={(pod) => `/pods/${pod.id}`}
      selection={{ selected: new Set(selected), onChange: () => undefined }}
      empty={null}
    />
  )
  const { rerender } = render(table(pods, []))
  drawn.length = 0
  rerender(table([...pods], ['cache']))
  rerender(
    table(
      pods.map((pod) => (pod.id === 'mailer' ? { ...pod } : pod)),
      ['cache'],
    ),
  )
  expect(drawn).toEqual(['cache', 'mailer'])
})

test('on a phone what matters most stands beside the name', () => {
  const withStatus: Column<Pod>[] = [
    ...columns,
    { key: 'status', header: 'Status', cell: () => 'running', isVital: true },
  ]
  const headers = () => screen.getAllByRole('columnheader').map((header) => header.textContent)
  show({ columns: withStatus })
  expect(headers()).toEqual(['Name', 'Restarts', 'Status'])
  cleanup()
  onScreen('phone')
  show({ columns: withStatus })
  expect(headers()).toEqual(['Name', 'Status', 'Restarts'])
})
