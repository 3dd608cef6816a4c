import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { PasskeyButton } from './passkey-button.tsx'

afterEach(cleanup)

test('while the server is away the passkey button is off, and says that it cannot be reached', () => {
  const options = { signup: 'open' as const, providers: [], passkeyRefusal: null, sendsMail: false }
  render(<PasskeyButton isConnected={false} options={options} />)
  const button = screen.getByRole('button', { name: 'Passkey' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  const described = document.getElementById(button.getAttribute('aria-describedby') ?? '')
  expect(described?.textContent).toContain('The server cannot be reached.')
})
