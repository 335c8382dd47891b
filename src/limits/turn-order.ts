export interface FairQueueLimits {
  /** The highest total weight of the tasks that run at once. A normal task weighs 1, and a heavy task 2. */
  readonly total: number;
  /** The highest total weight of one caller's tasks that run at once. */
  readonly perCaller: number;
  /** The most waiting tasks of one caller. */
  readonly maxWaiting: number;
}

export const HEAVY_WEIGHT = 2;

/** A task that waits for its turn or runs. */
export interface Task {
  readonly weight: number;
  /** The weight with which the task runs; 0 while it waits. */
  runningWeight: number;
  onTurn: () => void;
}

/** The tasks of one caller. */
interface Queue {
  /** The weight of the running tasks. */
  running: number;
  /** Whether the most recently ended task of the caller was part of a large response. */
  isLarge: boolean;
  readonly waiting: Task[];
  /** The time that tasks of the caller have run, multiplied by their weights, up to `countedAt`. */
  usedMs: number;
  countedAt: number;
}

/** Decides the order of turns by start-time fair queueing: the next task belongs to the caller that has used the least time. */
export class Turns {
  readonly #limits: FairQueueLimits;
  readonly #now: () => number;
  /** The callers that have tasks, and idle callers that have used more time than the waiting callers. */
  readonly #queues = new Map<string, Queue>();
  #running = 0;
  /**
   * The highest `usedMs` that a caller had when it got a turn. A caller that was idle starts with at least this value, so that
   * it cannot save up time while it is idle.
   */
  #virtualMs = 0;

  constructor(limits: FairQueueLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  countWaiting(caller: string): number {
    return this.#queues.get(caller)?.waiting.length ?? 0;
  }

  /** Adds a task to the caller's waiting tasks. If the task is running, its turn ends. */
  add(caller: string, task: Task, position: 'first' | 'last'): void {
    const queue = this.#queues.get(caller) ?? { running: 0, isLarge: false, waiting: [], usedMs: 0, countedAt: 0 };
    this.#queues.set(caller, queue);
    this.#countTime(queue);
    this.#stop(queue, task);
    if (queue.waiting.length === 0) queue.usedMs = Math.max(queue.usedMs, this.#virtualMs);
    if (position === 'first') queue.waiting.unshift(task);
    else queue.waiting.push(task);
    while (this.#startNext());
  }

  /** Removes a task, whether it is running or waiting. */
  leave(caller: string, task: Task): void {
    const queue = this.#queues.get(caller);
    if (!queue) return;
    this.#countTime(queue);
    this.#stop(queue, task);
    if (queue.waiting.includes(task)) queue.waiting.splice(queue.waiting.indexOf(task), 1);
    while (this.#startNext());
    this.#forgetIdle();
  }

  #stop(queue: Queue, task: Task): void {
    queue.running -= task.runningWeight;
    this.#running -= task.runningWeight;
    task.runningWeight = 0;
  }

  #countTime(queue: Queue): void {
    const now = this.#now();
    queue.usedMs += queue.running * (now - queue.countedAt);
    queue.countedAt = now;
  }

  #startNext(): boolean {
    const { total, perCaller } = this.#limits;
    let next: Queue | null = null;
    for (const queue of this.#queues.values()) {
      const [first] = queue.waiting;
      if (first === undefined || queue.running + this.#weigh(queue, first) > perCaller) continue;
      this.#countTime(queue);
      if (next === null || queue.usedMs < next.usedMs) next = queue;
    }
    const first = next?.waiting[0];
    if (!next || !first) return false;
    const weight = this.#weigh(next, first);
    // While a heavy task waits for room for its weight, nothing else starts. Otherwise, light tasks would take all the room that
    // becomes free.
    if (this.#running + weight > total) return false;
    next.waiting.shift();
    next.running += weight;
    this.#running += weight;
    first.runningWeight = weight;
    this.#virtualMs = Math.max(this.#virtualMs, next.usedMs);
    first.onTurn();
    return true;
  }

  /**
   * Returns the weight of the caller's next task. After a large response, the task is heavy: its response is probably large too.
   */
  #weigh({ isLarge }: Queue, { weight }: Task): number {
    return isLarge ? Math.min(this.#limits.perCaller, Math.max(HEAVY_WEIGHT, weight)) : weight;
  }

  /** Records whether a task that ends was part of a large response. Call it before `leave`. */
  noteResponse(caller: string, isLarge: boolean): void {
    const queue = this.#queues.get(caller);
    if (queue) queue.isLarge = isLarge;
  }

  /** Forgets idle callers that have used no more time than `#virtualMs`, and all idle callers once no task waits. */
  #forgetIdle(): void {
    const isAnyWaiting = [...this.#queues.values()].some(({ waiting }) => waiting.length > 0);
    for (const [caller, { running, waiting, usedMs }] of this.#queues) {
      const isIdle = running === 0 && waiting.length === 0;
      if (isIdle && !(isAnyWaiting && usedMs > this.#virtualMs)) this.#queues.delete(caller);
    }
  }
}
