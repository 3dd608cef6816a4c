const target = new EventTarget()

/** Asks the sidebar to focus its search, opening itself first where it is collapsed. */
export function focusSidebarSearch(): void {
  target.dispatchEvent(new Event('focus'))
}

/** For the sidebar alone. Returns the way to stop listening. */
export function onSidebarSearch(listener: () => void): () => void {
  target.addEventListener('focus', listener)
  return () => target.removeEventListener('focus', listener)
}
