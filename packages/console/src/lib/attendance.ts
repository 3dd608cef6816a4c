/** After this long without an act of a person, a page is unattended. */
const attendedForMs = 60_000
/** While a person is active, the server hears of it at least this often. */
const reportEveryMs = 50_000

const acts = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** Whether a person is at this page. Opening a page is an act. */
export interface Attendance {
  isAttended: () => boolean
  /** A request counted as use of the session. */
  recordUse: () => void
  /** Notes acts on the page; `report` is called where a person is active and no request has said so for a while. */
  watch: (page: EventTarget, report: () => void) => () => void
}

export function createAttendance(now: () => number): Attendance {
  let lastActAt = now()
  let lastUseAt = now()
  return {
    isAttended: () => now() - lastActAt < attendedForMs,
    recordUse: () => {
      lastUseAt = now()
    },
    watch(page, report) {
      const act = () => {
        lastActAt = now()
        if (lastActAt - lastUseAt < reportEveryMs) return
        lastUseAt = lastActAt
        report()
      }
      for (const type of acts) page.addEventListener(type, act, { capture: true, passive: true })
      return () => {
        for (const type of acts) page.removeEventListener(type, act, { capture: true })
      }
    },
  }
}

export const attendance = createAttendance(Date.now)
