import { useRef } from 'react'
import type { FocusEvent, InputEvent } from 'react'

type TextField = HTMLInputElement | HTMLTextAreaElement

// Search text and typed confirmations are no loss; nor is text that another guard covers.
const isKept = (field: TextField) =>
  !/^(search|checkbox|radio|range|color|file|button|submit)$/.test(field.type) &&
  field.getAttribute('role') !== 'combobox' &&
  !field.closest('[data-discardable]')

export interface TypedText {
  /** For the element around the fields. */
  handlers: {
    onFocus: (event: FocusEvent) => void
    onInput: (event: InputEvent) => void
  }
  /** Whether a field that is still there holds something else than when it was entered. */
  isChanged: () => boolean
}

/** Knows whether text was typed in the fields of a layer that would be lost with it. */
export function useTypedText(): TypedText {
  const initial = useRef(new Map<TextField, string>())
  const remember = (target: EventTarget, value: (field: TextField) => string) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (isField && isKept(target) && !initial.current.has(target)) initial.current.set(target, value(target))
  }
  return {
    handlers: {
      onFocus: ({ target }) => remember(target, (field) => field.value),
      // Filled without having been entered, as a password manager does.
      onInput: ({ target }) => remember(target, () => ''),
    },
    isChanged: () =>
      [...initial.current].some(([field, value]) => field.isConnected && field.value !== value),
  }
}
