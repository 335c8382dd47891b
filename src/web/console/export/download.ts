import { sendRequest, type Token } from '../api/gateway-client.js';
import { GatewayFailure } from '../api/gateway-failure.js';

export type ExportFormat = 'ndjson' | 'csv';

/**
 * Downloads the events of a filter as a file. Reads the response as a blob, which the browser keeps outside of the page's memory,
 * even while the data arrives.
 * @returns the number of events in the file
 * @throws GatewayFailure
 */
export async function downloadExport(parameters: URLSearchParams, format: ExportFormat, token: Token): Promise<number> {
  const wanted = new URLSearchParams(parameters);
  wanted.set('format', format);
  const response = await sendRequest(`v1/events/export?${wanted}`, token, {});
  if (!response.ok) {
    const body = (await response.json().catch(() => ({}))) as { readonly message?: string; readonly id?: string };
    throw new GatewayFailure(body.message ?? `The response has status ${response.status}.`, {
      status: response.status,
      logId: body.id ?? null,
      retryAfter: response.headers.get('retry-after'),
    });
  }
  const file = await response.blob().catch(() => {
    throw new GatewayFailure('The connection broke before the end of the file.', { status: 0 });
  });
  save(file, nameOf(response) ?? `events.${format}`);
  return Number(response.headers.get('x-export-count'));
}

function nameOf(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
