import { useCallback, useState } from 'react'

const cookieName = 'sidebar_state'
const maxAgeSeconds = 7 * 24 * 60 * 60

/** Reads the stored choice; expanded by default. */
export function readSidebarCookie(cookies: string): boolean {
  return !cookies.split('; ').includes(`${cookieName}=false`)
}

export function sidebarCookie(isExpanded: boolean): string {
  return `${cookieName}=${isExpanded}; path=/; max-age=${maxAgeSeconds}; SameSite=Lax`
}

/** Whether the sidebar is expanded, kept for 7 days. */
export function useSidebarState(): [isExpanded: boolean, setExpanded: (isExpanded: boolean) => void] {
  const [isExpanded, setState] = useState(() => readSidebarCookie(document.cookie))
  const setExpanded = useCallback((next: boolean) => {
    // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is missing on plain http
    document.cookie = sidebarCookie(next)
    setState(next)
  }, [])
  return [isExpanded, setExpanded]
}
