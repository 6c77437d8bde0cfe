import MiniSearch, { type SearchResult } from 'minisearch';
import type { DiscoveredTool } from '../../../domain/discovered-tool.ts';

/** A tool that could be added to an agent. */
export interface ToolOffer {
  tool: DiscoveredTool;
  connectionId: string;
  connectionName: string;
  provider: string;
}

/** A tool that fits an agent, with the reason. */
export interface ToolRecommendation extends ToolOffer {
  /** Compares the recommendations of one list; higher is better. */
  score: number;
  /** One sentence with the words that the agent and the tool share. */
  reason: string;
}

interface RankingRequest {
  agent: { name: string; instructions: string };
  offers: ToolOffer[];
  limit: number;
}

/** Words that are in the instructions of every agent and in the descriptions of every tool. */
const commonWords = new Set(
  `a about after all also always an and any are as ask at be before but by call can do does each every for from
   get give has have help how if in into is it its keep list make may must need never new no not of on one only or
   other our out own people please return set should so some such than that the their them then there these they
   this to tool up use used user using value want was we what when where which who will with would yes you your
   agent answer assistant question id name null string type data result optional required`.split(/\s+/),
);

const shortestPrefix = 4;
const shownWords = 5;

/**
 * Ranks tools by the words that they share with the name and instructions of an agent, best first. Tools that share no
 * word are left out.
 */
export function rankToolOffers({ agent, offers, limit }: RankingRequest): ToolRecommendation[] {
  const index = new MiniSearch<{ id: number; name: string; description: string; origin: string }>({
    fields: ['name', 'description', 'origin'],
    tokenize: toWords,
    processTerm: toTerm,
  });
  index.addAll(
    offers.map(({ tool, connectionName, provider }, id) => ({
      id,
      name: tool.name,
      description: tool.description,
      origin: `${provider} ${connectionName}`,
    })),
  );
  // Each word once: a word does not count more for being repeated in the instructions.
  const query = [...new Set(toWords(`${agent.name} ${agent.instructions}`).map(toTerm))]
    .filter((term) => term !== null)
    .join(' ');
  const found = index.search(query, {
    boost: { name: 3, origin: 2 },
    prefix: (term) => term.length >= shortestPrefix,
  });
  return found.slice(0, limit).flatMap((result) => toRecommendation(offers[Number(result.id)], result));
}

/** Splits names too: `slack_sendMessage` is three words. */
function toWords(text: string): string[] {
  return text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns a word in lower case and in the singular, or null for a common word. */
function toTerm(word: string): string | null {
  const term = word.toLowerCase();
  if (term.length < 2 || commonWords.has(term)) return null;
  return term.length > 3 && term.endsWith('s') && !term.endsWith('ss') ? term.slice(0, -1) : term;
}

function toRecommendation(offer: ToolOffer | undefined, result: SearchResult): ToolRecommendation[] {
  if (!offer) return [];
  const words = result.queryTerms.slice(0, shownWords).map((word) => `"${word}"`);
  const more = result.queryTerms.length - words.length;
  const reason = `The agent's name and instructions speak of ${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
  return [{ ...offer, score: Math.round(result.score * 100) / 100, reason }];
}
