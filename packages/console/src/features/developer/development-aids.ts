import { useEffect } from 'react'
import { errorText } from '../../lib/error-text.ts'
import { toast } from '../../ui/toast.ts'
import { useDeveloperSwitch } from './switches.ts'

/** Why React Scan and Click to Component cannot be had here; undefined where they can. */
export const aidsRefusal: string | undefined = import.meta.env.DEV
  ? undefined
  : 'Works in development builds only (npm run dev). This is a production build.'

/** Runs the aids that are switched on, and fetches each only then. A production build holds neither. */
export function useDevelopmentAids(): void {
  const [isScanning] = useDeveloperSwitch('reactScan')
  const [isClicking] = useDeveloperSwitch('clickToComponent')
  useEffect(() => {
    if (!import.meta.env.DEV || !isScanning) return
    return begin(() => import('./react-scan.ts').then(({ startReactScan }) => startReactScan()))
  }, [isScanning])
  useEffect(() => {
    if (!import.meta.env.DEV || !isClicking) return
    return begin(() =>
      import('./click-to-component.ts').then(({ startClickToComponent }) => startClickToComponent()),
    )
  }, [isClicking])
}

function begin(start: () => Promise<() => void>): () => void {
  let isOver = false
  let stop: (() => void) | undefined
  start()
    .then((stopAid) => {
      if (isOver) stopAid()
      else stop = stopAid
    })
    .catch((error: unknown) => {
      const { title, detail } = errorText('The development aid could not be loaded', error)
      toast('error', title, detail ? { description: detail } : {})
    })
  return () => {
    isOver = true
    stop?.()
  }
}
