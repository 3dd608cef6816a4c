import { scan, setOptions } from 'react-scan'

/** Outlines what renders, with React Scan's own toolbar; returns the way to stop. */
export function startReactScan(): () => void {
  scan({ enabled: true, showToolbar: true })
  return () => setOptions({ enabled: false, showToolbar: false })
}
