import { z } from 'zod';
import { defineProvider, fileId } from '../../src/engines/providers/define-provider.ts';

const chat = z
  .union([z.int(), z.string().regex(/^@\w+$/)])
  .describe('Id of the chat, from getUpdates, or the @name of a public channel or group');
const messageId = z.int().min(1).describe('Id of the message in its chat');
const parseMode = z
  .enum(['HTML', 'MarkdownV2'])
  .describe('How the text is marked up; without it plain')
  .optional();
const keyboard = z
  .strictObject({
    inline_keyboard: z
      .array(
        z
          .array(
            z.strictObject({
              text: z.string().min(1),
              url: z.string().describe('Opened by a press').optional(),
              callback_data: z.string().max(64).describe('Comes back in getUpdates after a press').optional(),
            }),
          )
          .min(1),
      )
      .min(1),
  })
  .describe('Rows of buttons below the message')
  .optional();
const sending = {
  message_thread_id: z.int().min(1).describe('Id of the topic in a group with topics').optional(),
  reply_parameters: z.strictObject({ message_id: messageId }).describe('The message to answer').optional(),
  disable_notification: z.boolean().describe('Send it without a sound').optional(),
  reply_markup: keyboard,
};
const caption = z.string().max(1024).optional();
const link = z.string().min(1).describe('Public https address, or a file_id of Telegram, instead of file');
const keptMessage = ['message_id', 'chat.id', 'chat.title', 'date', 'text', 'caption', 'message_thread_id'];

/** Telegram answers errors with `ok: false` and a status from 400. */
export const telegram = defineProvider({
  name: 'telegram',
  title: 'Telegram Bot',
  description: 'Send, edit and receive messages of a Telegram bot.',
  category: 'communication',
  baseUrl: 'https://api.telegram.org/bot{token}',
  auth: {
    types: ['keys'],
    keys: { token: { title: 'Bot token', path: true } },
    hint: 'The token that BotFather gives when a bot is created.',
  },
  setup: [
    'Write `/newbot` to [@BotFather](https://t.me/BotFather) in Telegram, choose a name, and copy the **token** of its answer.',
    'Add the bot to the group or channel it should write to, or send it a message: a bot cannot begin a chat with a person.',
    'To let it read all messages of a group, write `/setprivacy` to BotFather and choose *Disable*.',
  ],
  verify: { request: 'GET /getMe', account: ['result.username'] },
  // 30 messages a second for a bot, 1 for a chat, 20 a minute for a group: https://core.telegram.org/bots/faq
  rateLimit: { tokensPerMinute: 1800 },
  throttle: { wait: [{ body: 'parameters.retry_after', unit: 'seconds' }] },
  errors: { when: { at: 'ok', oneOf: [false] }, message: ['description'] },
  operations: {
    sendMessage: {
      description:
        'Send a text message to a chat, with buttons when needed. Returns its message_id, with which it is edited. Sends no files.',
      input: z.strictObject({
        chat_id: chat,
        text: z.string().min(1).max(4096),
        parse_mode: parseMode,
        link_preview_options: z.strictObject({ is_disabled: z.boolean() }).optional(),
        ...sending,
      }),
      request: 'POST /sendMessage',
      effect: 'unsafe',
      result: 'result',
      keep: keptMessage,
    },
    sendPhoto: {
      description:
        'Send a picture with a caption to a chat: a stored file (at most 10 MB), or an address. It is shown compressed; for the original use sendDocument.',
      input: z
        .strictObject({
          chat_id: chat,
          file: fileId('The picture').optional(),
          link: link.optional(),
          caption,
          parse_mode: parseMode,
          has_spoiler: z.boolean().optional(),
          ...sending,
        })
        .refine(hasOneFile, 'expected either file or link'),
      request: 'POST /sendPhoto',
      bodyFormat: 'multipart',
      files: ['file'],
      rename: { file: 'photo', link: 'photo' },
      effect: 'unsafe',
      result: 'result',
      keep: [...keptMessage, 'photo.file_id'],
    },
    sendDocument: {
      description:
        'Send a file as it is with a caption to a chat: a stored file (at most 20 MB), or an address. Returns the message_id and the file_id.',
      input: z
        .strictObject({
          chat_id: chat,
          file: fileId('The file').optional(),
          link: link.optional(),
          caption,
          parse_mode: parseMode,
          ...sending,
        })
        .refine(hasOneFile, 'expected either file or link'),
      request: 'POST /sendDocument',
      bodyFormat: 'multipart',
      files: ['file'],
      rename: { file: 'document', link: 'document' },
      effect: 'unsafe',
      result: 'result',
      keep: [...keptMessage, 'document.file_id', 'document.file_name', 'document.file_size'],
    },
    editMessageText: {
      description:
        'Replace the text and the buttons of a message that this bot has sent. Fails when nothing would change. Cannot edit captions.',
      input: z.strictObject({
        chat_id: chat,
        message_id: messageId,
        text: z.string().min(1).max(4096),
        parse_mode: parseMode,
        reply_markup: keyboard,
      }),
      request: 'POST /editMessageText',
      effect: 'idempotent',
      result: 'result',
      keep: [...keptMessage, 'edit_date'],
    },
    deleteMessage: {
      description:
        'Delete a message for everybody in the chat: one of this bot less than 48 hours old, or any where the bot is an administrator.',
      input: z.strictObject({ chat_id: chat, message_id: messageId }),
      request: 'POST /deleteMessage',
      effect: 'idempotent',
      destructive: true,
    },
    // An offset deletes all earlier updates, so the effect is not `read_only`.
    getUpdates: {
      description:
        'Receive new messages and button presses of the last 24 hours. An offset confirms all updates before it, which never come again. Fails while a webhook is set.',
      input: z.strictObject({
        offset: z.int().min(1).describe('The highest update_id that was handled, plus 1').optional(),
        limit: z.int().min(1).max(100).optional(),
        allowed_updates: z
          .array(z.enum(['message', 'edited_message', 'channel_post', 'callback_query', 'message_reaction']))
          .optional(),
      }),
      request: 'POST /getUpdates',
      effect: 'idempotent',
      result: 'result',
    },
    getChat: {
      description:
        'Get what is known of a chat, group, channel or person: title or name, type, description. Does not return messages or members.',
      input: z.strictObject({ chat_id: chat }),
      request: 'POST /getChat',
      effect: 'read_only',
      result: 'result',
      keep: [
        ...['id', 'type', 'title', 'username', 'first_name', 'last_name', 'bio', 'description', 'is_forum'],
        'linked_chat_id',
      ],
    },
    answerCallbackQuery: {
      description:
        'Answer the press of a button, so that Telegram stops its progress bar; with text the person sees a note. Sends no message to the chat.',
      input: z.strictObject({
        callback_query_id: z.string().min(1).describe('callback_query.id of the update'),
        text: z.string().max(200).optional(),
        show_alert: z.boolean().describe('Show the text in a box that must be closed').optional(),
      }),
      request: 'POST /answerCallbackQuery',
      effect: 'unsafe',
    },
  },
});

function hasOneFile({ file, link: address }: { file?: string | undefined; link?: string | undefined }) {
  return (file === undefined) !== (address === undefined);
}
