import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Dialog } from './dialog.tsx'

afterEach(cleanup)

function show(field = <textarea aria-label="Your Annotation" />) {
  const onOpenChange = vi.fn()
  render(
    <Dialog open onOpenChange={onOpenChange} title="Add Annotation">
      {field}
    </Dialog>,
  )
  return onOpenChange
}

function type(text: string) {
  const field = screen.getByRole<HTMLTextAreaElement>('textbox')
  field.focus()
  fireEvent.input(field, { target: { value: text } })
  return field
}

const escape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })

test('Escape asks before typed text is lost; it stays, or goes after Discard', () => {
  const onOpenChange = show()
  const field = type('The button is too small')
  escape()
  expect(onOpenChange).not.toHaveBeenCalled()
  expect(screen.getByRole('alertdialog', { name: 'Discard what you typed?' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Keep editing' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(field.value).toBe('The button is too small')
  escape()
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false)
})

test('the cross asks as well', () => {
  const onOpenChange = show()
  type('half a sentence')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(onOpenChange).not.toHaveBeenCalled()
  expect(screen.getByRole('alertdialog')).toBeTruthy()
})

test('nothing is asked where nothing was typed, or it was taken back', () => {
  const onOpenChange = show()
  type('x')
  type('')
  escape()
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false)
})

test('what one searches with is no loss', () => {
  const onOpenChange = show(<input type="search" role="textbox" aria-label="Filter" />)
  type('prod')
  escape()
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false)
})
