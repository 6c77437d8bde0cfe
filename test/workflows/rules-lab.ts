import type { JsonObject } from '../../src/domain/json.ts';
import { noRules, type Rules } from '../../src/domain/rules.ts';
import type { ToolInput } from '../../src/domain/tool.ts';
import { fetchTurnHistory } from '../labs/histories.ts';
import { mcpTool } from '../labs/lab-tools.ts';
import { startScriptedServer, textResult } from '../servers/mcp-servers.ts';
import type { AnswerEntry } from '../servers/scripted-model.ts';
import { startTurnLab } from '../labs/turn-lab.ts';
import type { LabScene, LabSceneOptions } from '../labs/turn-lab-scene.ts';
import { chainAudit } from '../labs/chain-audit.ts';

/** Two tools of the scripted server. */
export const pay = mcpTool('pay');
export const look = mcpTool('look', { effect: 'read_only' });

/** What a model says when it has been told. */
export const fine: AnswerEntry = { text: 'Understood.' };

/** A scene with these rules. */
export function ruled(rules: Partial<Rules>, tools: ToolInput[] = [pay, look]): LabSceneOptions {
  return { tools, rules: { ...noRules, ...rules } };
}

/** An answer that asks for one tool call. */
export function call(name: string, input: JsonObject = {}): AnswerEntry {
  return { toolCalls: [{ name, arguments: input }] };
}

interface AuditRow {
  type: string;
  subject_id: string;
  payload: JsonObject;
}

/** Starts a laboratory with a real MCP server that notes what reaches it. */
export async function startRulesLab() {
  const reached: JsonObject[] = [];
  const record = ({ arguments: input }: { arguments: Record<string, unknown> }) => {
    reached.push(input as JsonObject);
    return textResult('done');
  };
  const server = await startScriptedServer({ pay: record, look: record });
  const lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });

  const readAudit = async (subjectId: string | undefined) => {
    await chainAudit(lab.database.system);
    return lab.database.inWorkspace(lab.workspaceId, async (trx) =>
      trx<AuditRow>('audit_events')
        .where({ subject_id: subjectId ?? '' })
        .orderBy('seq')
        .select('type', 'subject_id', 'payload'),
    );
  };

  return {
    lab,
    /** The arguments of every call that reached the server. */
    reached,
    readAudit,

    /** Runs one turn of a scene to its end. */
    play: async (scene: LabScene, ...answers: AnswerEntry[]) => {
      scene.reply(...answers);
      const before = scene.requests().length;
      const turn = await lab.waitForOutcome(await scene.say('Please do it.'));
      const events = (await lab.readEvents(scene.conversationId)).filter(({ turnId }) => turnId === turn.id);
      const requests = scene.requests().slice(before);
      return { turn, events, requests, told: requests.at(-1)?.body.messages.at(-1)?.content ?? '' };
    },

    /** Everything that is kept of a turn and could be shown to somebody, and what its model was asked. */
    collectTraces: async (scene: LabScene, turnId: string): Promise<string> => {
      const turn = await lab.readTurn(turnId);
      const tables = await lab.database.inWorkspace(lab.workspaceId, async (trx) => {
        const rows: unknown[] = [];
        for (const table of ['events', 'messages', 'tool_calls', 'stream_chunks']) {
          rows.push(await trx(table).where({ turn_id: turnId }).select('*'));
        }
        return rows;
      });
      const audit = await Promise.all([turnId, ...turn.toolCalls.map(({ id }) => id)].map(readAudit));
      const history = await fetchTurnHistory(lab, turnId);
      const decoded = (history.events ?? []).map((event) =>
        JSON.stringify(event, (_key, value: unknown) =>
          value instanceof Uint8Array ? Buffer.from(value).toString() : value,
        ),
      );
      const asked = scene.requests().map(({ body }) => JSON.stringify(body.messages.slice(1)));
      return JSON.stringify([turn, tables, audit, decoded, asked]);
    },

    close: async () => {
      await lab.close();
      await server.close();
    },
  };
}
