import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { DetailPage } from './detail-page.tsx'
import type { DetailPageProps } from './detail-page.tsx'

interface Pod {
  name: string
}

const tabs = [
  { id: 'overview', label: 'Overview', content: (pod: Pod) => <p>What {pod.name} does</p> },
  { id: 'logs', label: 'Logs', count: 3, content: (pod: Pod) => <p>What {pod.name} writes</p> },
]

function page(props: Partial<DetailPageProps<Pod>>) {
  return render(
    <DetailPage
      noun="pod"
      subject={undefined}
      title="api-1"
      badges={() => <span>failing</span>}
      actions={() => <button type="button">Restart</button>}
      notice={() => <p>It is being deleted</p>}
      tabs={tabs}
      tabHref={(id) => (id === undefined ? '/pods/api-1' : `/pods/api-1/${id}`)}
      {...props}
    />,
  )
}

afterEach(cleanup)

// jsdom has no layout, thus nothing to scroll.
Element.prototype.scrollIntoView = () => undefined

const link = (name: string) => screen.getByRole('link', { name })

test('tabs are links, the first one without its id, and they are there before the thing is read', () => {
  page({ subject: undefined })
  expect(link('Overview').getAttribute('href')).toBe('/pods/api-1')
  expect(link('Logs 3').getAttribute('href')).toBe('/pods/api-1/logs')
  expect(link('Overview').getAttribute('aria-current')).toBe('page')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('api-1')
  expect(screen.queryByText('failing')).toBeNull()
})

test('once the thing is read its head, its notice and the tab of the address are shown', () => {
  page({ subject: { name: 'api-1' }, tab: 'logs' })
  for (const text of ['failing', 'It is being deleted', 'What api-1 writes']) {
    expect(screen.getByText(text)).toBeTruthy()
  }
  expect(screen.queryByText('What api-1 does')).toBeNull()
})

test('an address with an unknown tab names the tabs, and leads to the first', () => {
  page({ subject: { name: 'api-1' }, tab: 'shell' })
  expect(screen.getByRole('heading', { name: 'There is no such tab' })).toBeTruthy()
  expect(screen.getByText('The tabs of a pod are overview, logs.')).toBeTruthy()
  expect(link('Open the overview').getAttribute('href')).toBe('/pods/api-1')
})

test('what does not exist says so and leads on; what cannot be read keeps its head and can be tried again', () => {
  page({
    missing: { title: 'There is no pod api-1', action: <a href="/pods">All pods</a> },
  })
  expect(screen.getByRole('heading', { name: 'Pod not found' })).toBeTruthy()
  expect(link('All pods')).toBeTruthy()
  cleanup()
  page({ title: undefined, failure: { title: 'Failed to fetch pod', onRetry: () => undefined } })
  expect(screen.getByRole('heading', { name: 'Pod' })).toBeTruthy()
  expect(screen.getByRole('alert').textContent).toContain('Failed to fetch pod')
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
})

test('a failure to read it again leaves what was read before', () => {
  page({ subject: { name: 'api-1' }, failure: { title: 'Failed to fetch pod' } })
  expect(screen.getByText('What api-1 does')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('what is stale loses the colours of its states', () => {
  const { container } = page({ subject: { name: 'api-1' }, isStale: true })
  expect(container.querySelector('[data-stale]')).toBeTruthy()
})
