// Dragging something onto a board: by mouse and pen at once, by finger after a moment, so that a swipe still scrolls.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** So far a mouse moves before it drags, in pixels. */
const SLACK = 6;
/** So long a finger rests on a thing to pick it up, in milliseconds. */
const REST = 220;

interface Held<Thing> {
  thing: Thing;
  pointer: number;
  from: { x: number; y: number };
}

/** What is dragged now, what makes a thing draggable, and the picture that follows the pointer. */
export function useDrag<Thing>(wanted: { take: (thing: Thing) => void; drop: (thing: Thing, target: string) => void }) {
  const [dragged, setDragged] = useState<Thing | null>(null);
  const held = useRef<Held<Thing> | null>(null);
  const lifted = useRef(false);
  /** The click that ends a drag chooses nothing. */
  const swallow = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const picture = useRef<HTMLDivElement>(null);
  const at = useRef({ x: 0, y: 0 });
  const now = useRef(wanted);
  now.current = wanted;

  const place = () => {
    if (picture.current) picture.current.style.transform = `translate(${at.current.x}px, ${at.current.y}px) translate(-50%, -50%)`;
  };
  const lift = () => {
    if (!held.current || lifted.current) return;
    lifted.current = swallow.current = true;
    now.current.take(held.current.thing);
    setDragged(() => held.current!.thing);
    setTimeout(place);
  };
  const end = () => {
    clearTimeout(timer.current);
    held.current = null;
    lifted.current = false;
    setDragged(null);
    // The click that ends a drag comes right after it, if it comes at all.
    setTimeout(() => (swallow.current = false));
  };

  useEffect(() => {
    const move = (event: PointerEvent) => {
      const one = held.current;
      if (one?.pointer !== event.pointerId) return;
      at.current = { x: event.clientX, y: event.clientY };
      const far = Math.hypot(event.clientX - one.from.x, event.clientY - one.from.y) > SLACK;
      if (lifted.current) place();
      else if (far && event.pointerType === "touch") end();
      else if (far) lift();
    };
    const up = (event: PointerEvent) => {
      const one = held.current;
      if (one?.pointer !== event.pointerId) return;
      const [was, thing] = [lifted.current, one.thing];
      end();
      const target = was ? document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement | SVGElement>("[data-drop]")?.dataset.drop : undefined;
      if (target) now.current.drop(thing, target);
    };
    const cancel = (event: PointerEvent) => held.current?.pointer === event.pointerId && end();
    const escape = (event: KeyboardEvent) => event.key === "Escape" && end();
    // While a thing is carried by a finger the page does not scroll.
    const hold = (event: TouchEvent) => lifted.current && event.cancelable && event.preventDefault();
    const click = (event: MouseEvent) => {
      if (!swallow.current) return;
      swallow.current = false;
      event.stopPropagation();
      event.preventDefault();
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", cancel);
    addEventListener("keydown", escape);
    addEventListener("touchmove", hold, { passive: false });
    addEventListener("click", click, true);
    return () => {
      clearTimeout(timer.current);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", cancel);
      removeEventListener("keydown", escape);
      removeEventListener("touchmove", hold);
      removeEventListener("click", click, true);
    };
  }, []);

  /** What a thing needs to be dragged. */
  const draggable = (thing: Thing) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || held.current) return;
      held.current = { thing, pointer: event.pointerId, from: { x: event.clientX, y: event.clientY } };
      at.current = { x: event.clientX, y: event.clientY };
      if (event.pointerType === "touch") timer.current = setTimeout(lift, REST);
      // What a finger touches catches all that follows, unless it is let go.
      (event.target as Element).releasePointerCapture?.(event.pointerId);
    },
    onContextMenu: (event: Event) => lifted.current && event.preventDefault(),
  });
  /** The picture of a thing under the pointer. */
  const carried = (drawing: ComponentChildren) => dragged !== null && <div class="carried" ref={picture} aria-hidden="true">{drawing}</div>;
  return { dragged, draggable, carried };
}
