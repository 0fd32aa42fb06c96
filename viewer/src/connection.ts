// SPDX-License-Identifier: Apache-2.0
// The WebSocket to the program: reconnects by itself, tells a lost connection from a refused token,
// and pairs requests with their answers.
import type { Answer, ServerMessage } from "./protocol";

export type LinkState = "connecting" | "open" | "lost" | "refused";

export interface LinkHandlers {
  text(message: ServerMessage): void;
  binary(data: DataView): void;
  state(state: LinkState, detail: string): void;
}

const RETRY_FIRST = 300; // [ms]
const RETRY_MOST = 5000;
const ANSWER_TIMEOUT = 15000;

export class Link {
  private socket: WebSocket | null = null;
  private nextId = 1;
  private retry = RETRY_FIRST;
  private readonly waiting = new Map<number, (answer: Answer) => void>();

  constructor(
    private readonly token: string,
    private readonly handlers: LinkHandlers,
  ) {}

  open(): void {
    this.handlers.state("connecting", "");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws?token=${encodeURIComponent(this.token)}`, "rille.view.1");
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.retry = RETRY_FIRST;
      this.handlers.state("open", "");
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.receive(event.data);
    socket.onclose = (event) => void this.closed(event.reason);
    this.socket = socket;
  }

  /** Sends a message; nothing happens while the connection is down. */
  send(message: Record<string, unknown>): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Sends a message and waits for its answer; a lost connection or silence is an answer that is not ok. */
  request(message: Record<string, unknown>): Promise<Answer> {
    const id = this.freshId();
    return new Promise((resolve) => {
      const fail = (text: string): void => {
        if (this.waiting.delete(id)) resolve({ op: "answer", to: id, ok: false, text });
      };
      this.waiting.set(id, (answer) => {
        this.waiting.delete(id);
        resolve(answer);
      });
      if (!this.send({ ...message, id })) fail("no connection");
      else setTimeout(() => fail("no answer"), ANSWER_TIMEOUT);
    });
  }

  freshId(): number {
    return this.nextId++;
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      this.handlers.binary(new DataView(data));
      return;
    }
    const message = JSON.parse(data) as ServerMessage;
    // It is not known which answers were lost: every request that still waits has failed.
    if (message.op === "lost") this.failAll("the answer was lost: too many requests at once");
    const pending = message.op === "answer" ? this.waiting.get(message.to) : undefined;
    if (pending && message.op === "answer") pending(message);
    else this.handlers.text(message);
  }

  private failAll(text: string): void {
    for (const [id, resolve] of [...this.waiting]) resolve({ op: "answer", to: id, ok: false, text });
  }

  private async closed(reason: string): Promise<void> {
    this.socket = null;
    this.failAll("connection lost");
    // A browser does not tell why a WebSocket failed; the same address by HTTP does.
    if (await this.refused()) {
      this.handlers.state("refused", reason);
      return;
    }
    this.handlers.state("lost", reason);
    setTimeout(() => this.open(), this.retry);
    this.retry = Math.min(this.retry * 1.6, RETRY_MOST);
  }

  private async refused(): Promise<boolean> {
    try {
      const answer = await fetch(`/?token=${encodeURIComponent(this.token)}`, { cache: "no-store" });
      return answer.status === 403;
    } catch {
      return false;
    }
  }
}
