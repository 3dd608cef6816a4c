import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { storageKeys } from '../lib/storage.ts'
import { setAnnotationMode, useAnnotationMode } from './annotation-mode.ts'

afterEach(() => {
  cleanup()
  setAnnotationMode(false)
})

test('annotation mode is off until it is switched on, and survives a reload', () => {
  const { result } = renderHook(() => useAnnotationMode())
  expect(result.current[0]).toBe(false)
  act(() => result.current[1](true))
  expect(result.current[0]).toBe(true)
  expect(localStorage.getItem('bey-annotation-mode')).toBe('true')
  expect(renderHook(() => useAnnotationMode()).result.current[0]).toBe(true)
})

test('another tab switches it here as well', () => {
  const { result } = renderHook(() => useAnnotationMode())
  act(() => {
    localStorage.setItem(storageKeys.annotationMode, 'true')
    window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.annotationMode }))
  })
  expect(result.current[0]).toBe(true)
})

test('anything but true is off', () => {
  localStorage.setItem(storageKeys.annotationMode, '1')
  expect(renderHook(() => useAnnotationMode()).result.current[0]).toBe(false)
})
