import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { useOneTabStop } from './one-tab-stop.ts'

function Group() {
  const ref = useOneTabStop<HTMLDivElement>('vertical')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div ref={ref}>
        <a href="/one">One</a>
        <button type="button" onClick={() => setOpen(!isOpen)}>
          More
        </button>
        {isOpen ? <a href="/inner">Inner</a> : null}
        <a href="/two" aria-current="page">
          Two
        </a>
      </div>
      <button type="button">After</button>
    </>
  )
}

afterEach(cleanup)

const press = (key: string, more = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more })
const stops = () =>
  [...document.querySelectorAll<HTMLElement>('div [tabindex="0"]')].map((each) => each.textContent)

test('Tab comes to the open page, or to where the focus was', () => {
  render(<Group />)
  expect(stops()).toEqual(['Two'])
  screen.getByText('Two').focus()
  press('ArrowUp')
  expect(document.activeElement).toBe(screen.getByText('More'))
  expect(stops()).toEqual(['More'])
  press('Home')
  press('ArrowUp')
  expect(stops()).toEqual(['One'])
  press('End')
  expect(stops()).toEqual(['Two'])
})

test('what was opened is reached as well', async () => {
  render(<Group />)
  screen.getByText('More').focus()
  fireEvent.click(screen.getByText('More'))
  await waitFor(() => expect(screen.getByText('Inner').tabIndex).toBe(-1))
  press('ArrowDown')
  expect(document.activeElement).toBe(screen.getByText('Inner'))
})

test('keys with a modifier keep their meaning', () => {
  render(<Group />)
  screen.getByText('Two').focus()
  press('ArrowUp', { altKey: true })
  expect(document.activeElement).toBe(screen.getByText('Two'))
})
