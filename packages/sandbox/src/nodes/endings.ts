import type { Container, Pod } from '../types.ts'

/** Programs that ended because of what somebody did to them, such as leaving the shell that they were. */
export class Endings {
  readonly #codes = new Map<string, number>()
  #listener: (pod: Pod) => void = () => undefined

  /** Tells the controller that plays the kubelet. */
  onEnd(listener: (pod: Pod) => void): void {
    this.#listener = listener
  }

  end(pod: Pod, container: Container, exitCode: number): void {
    this.#codes.set(`${pod.metadata.uid}/${container.name}`, exitCode)
    this.#listener(pod)
  }

  /** The exit code of a container that has been ended since it was last asked for. */
  take(pod: Pod, container: Container): number | undefined {
    const key = `${pod.metadata.uid}/${container.name}`
    const code = this.#codes.get(key)
    this.#codes.delete(key)
    return code
  }
}
