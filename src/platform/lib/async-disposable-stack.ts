// Node 22 has `Symbol.asyncDispose`, but no `AsyncDisposableStack`. A program that runs there imports this file first.

type Release = () => unknown;

/** The part of the standard's class that Holdfast uses. */
class Stack implements AsyncDisposableStack {
  readonly [Symbol.toStringTag] = 'AsyncDisposableStack';
  #releases: Release[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  use<Value extends AsyncDisposable | Disposable | null | undefined>(value: Value): Value {
    if (value) {
      this.defer(() =>
        Symbol.asyncDispose in value ? value[Symbol.asyncDispose]() : value[Symbol.dispose](),
      );
    }
    return value;
  }

  adopt<Value>(value: Value, release: (value: Value) => PromiseLike<void> | void): Value {
    this.defer(() => release(value));
    return value;
  }

  defer(release: Release): void {
    if (this.#disposed) throw new ReferenceError('The stack was disposed before.');
    this.#releases.push(release);
  }

  move(): AsyncDisposableStack {
    const moved = new Stack();
    moved.#releases = this.#releases;
    this.#releases = [];
    this.#disposed = true;
    return moved;
  }

  /** Releases everything, the newest first, also when one fails. @throws the error, or AggregateError with all of them */
  async disposeAsync(): Promise<void> {
    this.#disposed = true;
    const errors: unknown[] = [];
    for (let release = this.#releases.pop(); release; release = this.#releases.pop()) {
      try {
        await release();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, 'Several parts could not be released.');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}

if (!('AsyncDisposableStack' in globalThis)) Object.assign(globalThis, { AsyncDisposableStack: Stack });
