import { useState } from 'react'

/** How the lines of a log are shown. */
export interface LogLook {
  isWrapped: boolean
  hasTime: boolean
  areFieldsParsed: boolean
}

export function useLogLook(): { look: LogLook; toggle: (part: keyof LogLook) => void } {
  const [look, setLook] = useState<LogLook>({ isWrapped: false, hasTime: true, areFieldsParsed: true })
  const toggle = (part: keyof LogLook) => setLook((last) => ({ ...last, [part]: !last[part] }))
  return { look, toggle }
}
